import type { TokenRow } from './tokenRow';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Language models, and services around them. */
export const modelTokens: readonly TokenRow[] = [
  ['anthropic', 'sk-ant-[a-z]{2,12}\\d{2}-[\\w-]{80,200}', 'gitleaks anthropic-api-key'],
  ['openai', 'sk-(?:[a-z]{3,8}-)?[\\w-]{20,200}T3BlbkFJ[\\w-]{20,200}', 'gitleaks openai-api-key'],
  ['openai-key', 'sk-(?:proj|svcacct|service|admin)-[\\w-]{40,300}', 'trufflehog openai'],
  ['deepseek', 'sk-[0-9a-z]{32}', 'trufflehog deepseek'],
  ['braintrust', 'sk-[A-Za-z0-9]{48,51}', 'trufflehog braintrust'],
  ['openrouter', 'sk-or-(?:v1-)?[0-9a-f]{64}', 'trufflehog openrouter'],
  ['langfuse', `sk-lf-${uuid}`, 'trufflehog langfuse'],
  ['langsmith', 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}', 'trufflehog langsmith'],
  ['groq', 'gsk_[A-Za-z0-9]{40,64}', 'trufflehog groq'],
  ['xai', 'xai-[A-Za-z0-9_]{60,100}', 'trufflehog xai'],
  ['perplexity', 'pplx-[A-Za-z0-9]{40,64}', 'gitleaks perplexity-api-key'],
  ['huggingface', 'hf_[A-Za-z0-9]{34}', 'gitleaks huggingface-access-token'],
  ['huggingface-organization', 'api_org_[A-Za-z0-9]{34}', 'gitleaks huggingface-organization-api-token'],
  ['replicate', 'r8_[\\w-]{37}', 'trufflehog replicate'],
  ['nvidia', 'nvapi-[\\w-]{60,70}', 'trufflehog nvapi'],
  ['elevenlabs', 'sk_[0-9a-f]{48}', 'trufflehog elevenlabs'],
  ['pinecone', 'pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{60,66}', 'trufflehog pinecone'],
  ['fireworks', 'fw_[A-Za-z0-9]{22,26}', 'https://docs.fireworks.ai/api-reference/introduction'],
  ['cerebras', 'csk-[a-z0-9]{48}', 'https://inference-docs.cerebras.ai/quickstart'],
  ['together', 'tgp_v1_[\\w-]{43}', 'https://docs.together.ai/docs/api-keys'],
  ['jina', 'jina_[0-9a-f]{32}[\\w-]{20,40}', 'https://jina.ai/embeddings/'],
  ['voyage', 'pa-[\\w-]{43}', 'https://docs.voyageai.com/docs/api-key-and-installation'],
  ['tavily', 'tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}', 'https://docs.tavily.com/documentation/quickstart'],
  ['firecrawl', 'fc-[0-9a-f]{32}', 'https://docs.firecrawl.dev/introduction'],
  ['e2b', 'e2b_[0-9a-f]{40}', 'https://e2b.dev/docs/api-key'],
  ['runpod', 'rpa_[A-Z0-9]{40,50}', 'https://docs.runpod.io/get-started/api-keys'],
  ['llamacloud', 'llx-[A-Za-z0-9]{48}', 'https://docs.cloud.llamaindex.ai/api_key'],
  ['salad', 'salad_cloud_[0-9A-Za-z]{1,7}_[0-9A-Za-z]{20,235}', 'trufflehog saladcloudapikey'],
  [
    'weights-biases',
    'wandb_v1_[\\w-]{60,90}',
    'https://docs.wandb.ai/platform/app/settings-page/user-settings',
  ],
];
