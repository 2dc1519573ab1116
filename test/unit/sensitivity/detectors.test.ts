import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AnchoredDetector, anchoredScan } from '../../../src/core/sensitivity/anchored';
import { authorizationHeader, sessionCookies } from '../../../src/core/sensitivity/authorizationHeader';
import { bankAccount } from '../../../src/core/sensitivity/bankAccount';
import { commandCredentials } from '../../../src/core/sensitivity/commandCredential';
import { credentialAssignment } from '../../../src/core/sensitivity/credentialAssignment';
import { emailAddress } from '../../../src/core/sensitivity/emailAddress';
import type { SensitivityFinding } from '../../../src/core/sensitivity/finding';
import { kubernetesSecret } from '../../../src/core/sensitivity/kubernetesSecret';
import { passwordInOtherLanguages } from '../../../src/core/sensitivity/otherLanguages';
import { paymentCard } from '../../../src/core/sensitivity/paymentCard';
import { phoneNumber } from '../../../src/core/sensitivity/phoneNumber';
import { privateKeyBlock, privateKeyMember } from '../../../src/core/sensitivity/privateKeyBlock';
import { signedAddress, urlPassword } from '../../../src/core/sensitivity/urlPassword';
import { someOf } from '../../fixtures/variants';

/** Sensitive values are between guillemets, which are not part of the text. Keys are assembled at run time. */
function check(
  given: AnchoredDetector | readonly AnchoredDetector[],
  marked: readonly string[],
  harmless: readonly string[],
): void {
  const detector = alone([given].flat());
  for (const line of marked) {
    const text = line.replace(/[«»]/g, '');
    const start = line.indexOf('«');
    const findings = detector.scan(text);
    assert.deepEqual(
      findings.map(finding => ({ rule: finding.rule, start: finding.start, end: finding.end })),
      [{ rule: detector.rule, start, end: line.indexOf('»') - 1 }],
      line,
    );
    const secret = text.slice(start, line.indexOf('»') - 1);
    assert.ok(findings.every(({ message }) => !message.includes(secret)));
  }
  for (const text of harmless) {
    assert.deepEqual(detector.scan(text), [], text);
  }
}

interface Detector {
  readonly rule: string;
  readonly scan: (text: string) => readonly SensitivityFinding[];
}

function alone(detectors: readonly AnchoredDetector[]): Detector {
  const scan = anchoredScan(detectors);
  return { rule: detectors[0]?.rule ?? '', scan: text => scan(text).findings };
}

const generated = ['k9Q2m', 'X7vT4', 'bR8wZ', 'p3LdN'].join('');

describe('credentialAssignment', () => {
  it('finds real values, in whatever notation', () => {
    check(
      credentialAssignment,
      [
        `variable "db_password" {\n  default = "«${generated}»"\n}`,
        `props.setProperty("mail.smtp.password", "«${generated}»");`,
        `define( 'DB_PASSWORD', '«${generated}»' );`,
        `ENV APP_SECRET «${generated}»`,
        `<key>ClientSecret</key>\n<string>«${generated}»</string>`,
        `The password for the staging host is «${generated}» for now`,
        `        - name: API_SECRET\n          value: "«${generated}»"`,
        `CREATE USER app WITH PASSWORD '«${generated}»';`,
        `public string ClientSecret { get; set; } = "«${generated}»";`,
        'const apiToken = "«qRtZkLpWvXcBnMhJgFdSaYuQ»"',
        `DB_PASSWORD=«${generated}»`,
        `export API_KEY='«${generated}»'`,
        `  "client_secret": "«${generated}»",`,
        `{\\"apiKey\\": \\"«${generated}»\\"}`,
        `password: «${generated}»\nuser: me`,
        `//registry.invalid/:_authToken=«${generated}»`,
        `const accessToken = \`«${generated}»\`;`,
        `auth_key := "«${generated}»"`,
        `PGPASSWORD=«${generated}» psql -h db`,
      ],
      [],
    );
  });

  it('finds them behind every name, separator and quote', () => {
    const names =
      'password passwrd PASSWD Passphrase pwd client_SECRET token api-key ACCESS_KEY private_key credential credentials';
    const assignments = names
      .split(' ')
      .flatMap(name =>
        [':', '=', ':=', '=>', ' = ', '    =>    ', '\t:\t'].flatMap(separator =>
          ['', '"', "'", '`', '\\"'].map(quote => `${name}${quote}${separator}${quote}«k9Q2mX7v»${quote}`),
        ),
      );
    check(credentialAssignment, someOf(assignments, 150), []);
  });

  it('leaves placeholders, code and other names alone', () => {
    check(
      credentialAssignment,
      [],
      [
        '"minipass": "npm:^7.0.3", "js-tokens": "npm:^4.0.0"',
        '"input_tokens": u64::MAX2',
        'oid|token|openpgp4fpr|x1y2z3w4v5u6t7s8',
        'password: string',
        'password=${DB_PASSWORD1}',
        'apiKey: process.env.OPENAI_KEY_2',
        'const token = getToken2(session)',
        'token = tokens[12345678]',
        'secret: config.auth.secret2key',
        'api_key = <your-key-1234>',
        'API_KEY=your_api_key_123',
        'password = "changeme123"',
        'password: ********12',
        'TOKEN=xxxxxxxxxxxx1',
        'token: "aaaaaaaaaaaaaaaa"',
        'token: "short1"',
        'max_tokens: 20000000',
        '"nextPageToken": "CAUQAA1234567"',
        'eos_token: "<|im_end|>123"',
        'password_file: /run/secrets/db1password',
        'tokenizer = "o200k_base1"',
        'secret: "letters only in here"',
        'private_key = "./keys/server1.pem"',
      ],
    );
  });
});

describe('credentialAssignment in an environment file', () => {
  it('finds values of letters alone, and of any signs', () => {
    check(
      credentialAssignment,
      [
        'HOST=db\nDB_PASSWORD=«correcthorse»\nPORT=1',
        'export SESSION_SECRET=«ab&cd|ef(gh;»',
        '    12→JWT_SECRET=«batterystaple»\r',
        '3\tAPI_KEY=«qwertyuiop»',
      ],
      [
        'DB_PASSWORD=short',
        'DB_PASSWORD=changeme-please',
        'API_KEY=${OTHER_KEY}',
        'API_KEY=$(vault read key)',
        'TOKEN=makeToken()',
        'PRIVATE_KEY=./keys/server.pem',
        'dbPassword=correcthorse',
        'DB_PASSWORD=correct horse',
        'set DB_PASSWORD=%OTHER_PASSWORD%',
      ],
    );
    for (const name of 'PASSWD DB_PASSWRD PASSPHRASE PWD API_KEY SIGNINGKEY AWS_CREDENTIALS CREDENTIAL'.split(
      ' ',
    )) {
      check(credentialAssignment, [`${name}=«correcthorse»`], []);
    }
  });
});

describe('authorizationHeader', () => {
  it('finds tokens behind their scheme', () => {
    check(
      authorizationHeader,
      [
        `curl -H "Authorization: Bearer «${generated}»" localhost`,
        'Authorization: Basic «dXNlcjpo' + 'dW50ZXIyCg==»',
        `{"authorization": "token «${generated}»"}`,
      ],
      [
        'Authorization: Bearer <token>',
        'Authorization: Bearer ${process.env.TOKEN}',
        'the bearer of this letter may enter',
        'Bearer authentication-is-required-here',
      ],
    );
  });
});

describe('privateKeyBlock', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
  const [begin, end] = ['BEGIN', 'END'].map(edge => `-----${edge} RSA PRIVATE KEY-----`);

  it('finds whole keys, keys that are cut off, and escaped line breaks', () => {
    check(
      privateKeyBlock,
      [
        `key:\n«${begin}\n${body}\n${body}\n${end}»\n`,
        `«${begin}\\n${body}\\n${body}\\n${end}»"`,
        `«${begin}\n${body}\n${body}»...`,
      ],
      [
        `grep -r "${begin}" .`,
        `${begin}\n<your key>\n${end}`,
        '-----BEGIN CERTIFICATE-----\n' + body.repeat(3),
      ],
    );
  });

  it('ends a key that is cut off at the first line that is not base64, however its lines are written', () => {
    const line = body.repeat(2);
    for (const [prefix, end] of [
      ['', '\n'],
      ['', '\r\n'],
      ['', '\\n'],
      ['', '\\\\r\\\\n'],
      ['    ', '\n'],
      ['> ', '\n'],
      ['+ ', '\n'],
      ['+', '\r\n'],
      ['  12→', '\n'],
      ['"', '\\n" +\n'],
    ] as const) {
      for (const last of ['qV7mT2', line.slice(0, 41), line]) {
        for (const behind of ['Deploy the release now.', 'done', 'id: toolu_01AbCdEf', '{"a": 1}', '']) {
          check(
            privateKeyBlock,
            [
              [`${prefix}«${begin}`, `${prefix}${line}`, `${prefix}${last}»`, `${prefix}${behind}`].join(end),
              [
                `${prefix}«${begin}`,
                `${prefix}Proc-Type: 4,ENCRYPTED`,
                prefix,
                `${prefix}${line}`,
                `${prefix}${last}»`,
                behind,
                '-----END CERTIFICATE-----',
              ].join(end),
            ],
            [],
          );
        }
      }
    }
  });

  it('takes as many lines of a key of PuTTY as the file says', () => {
    check(
      privateKeyMember,
      [`Private-Lines: 2\n«${body}\n${body}»\nThe words behind them`, `Private-Lines: 9\n«${body}»\n-- \n`],
      [],
    );
  });
});

describe('credentialAssignment, where name and value are apart', () => {
  it('finds members of name and value, arguments, calls and attributes', () => {
    check(
      credentialAssignment,
      [
        `{"name": "API_KEY", "value": "«${generated}»"}`,
        `{\\"key\\":\\"DB_PASSWORD\\",\\"value\\":\\"«${generated}»\\"}`,
        `["deploy", "--token", "«${generated}»"]`,
        `deploy --api-key «${generated}» --region eu`,
        `<add key="Password" value="«${generated}»" />`,
        `<password>«${generated}»</password>`,
        `builder.setPassword("«${generated}»")`,
        `aws configure set aws_secret_access_key «${generated}»`,
        // A key of AWS that begins like a path.
        `aws_secret_access_key = «/${generated}${generated.slice(1)}»\\nregion = eu`,
        `the password is «${generated}».`,
        `Server=db;User Id=sa;Password=«Maple!2041abc»;Encrypt=true`,
        `STRIPE_KEY=«${generated}»`,
        // Words with digits after a sign are a password, also without quotes; code has at most one digit there.
        'Server=db;User Id=sa;Password=«Maple!2041»;Encrypt=true',
        'password: «Copper48Thistle!59»',
        `ALTER ROLE app WITH LOGIN PASSWORD '«${generated}»';`,
        `nmcli dev wifi connect Office password '«Maple!2041abc»'`,
        'psk="«Maple!2041abc»"',
        `Das Passwort lautet «${generated}»`,
        `mot de passe : «${generated}»`,
        `<command-args>//registry.invalid/:_authToken=«${generated}»</command-args>`,
        `contraseña: «${generated}»`,
        `APP_KEY=«base64:${generated}${generated}abC=»`,
        `AccountKey=«/${generated}${generated}${generated}${generated}abCde==»;EndpointSuffix=x`,
        // The end of the text is cut off, or other JSON follows.
        `curl -d "{\\"api_key\\":\\"«${generated}»`,
        `machine git.quillworks.io login ada password «${generated}»{"access_token":"`,
      ],
      [
        'const { token } = "--token", value',
        'getToken("k9Q2mX7vT4bR8wZp")',
        '{"name": "sort_key", "value": "k9Q2mX7vT4bR8wZp"}',
        'badge.svg?token=37tZMQE0Sy',
        'PublicKeyToken=b77a5c561934e089',
        'submitPassword: "SIGN_IN_V2_SUBMIT_PASSWORD"',
        'e.password=t.hasPassword?1:0',
        'secret: "base64:..."',
      ],
    );
  });
});

describe('commandCredential', () => {
  it('finds passwords in arguments', () => {
    check(
      commandCredentials,
      [
        "mysql -h db -u root -p'«Maple!2041abc»' shop",
        `ConvertTo-SecureString "«${generated}»" -AsPlainText -Force`,
        `gh secret set DEPLOY_KEY --body "«${generated}»"`,
        `sonar-scanner -Dsonar.login=«${generated}»`,
        `ALTER USER app IDENTIFIED BY "«${generated}»";`,
        `req.SetBasicAuth("bot", "«${generated}»")`,
        `redis-cli -h cache AUTH «${generated}»`,
        `sshpass -p «${generated}» ssh build`,
        `["sshpass","-p","«${generated}»","ssh"]`,
        // The text before the command was cut off.
        `//registry.quillwosshpass -p '«${generated}»' ssh`,
        `net use Z: \\\\fs\\share «Maple!2041abc» /user:SHOP\\ada`,
        `wandb login «${'a1b2c3d4e5'.repeat(4)}»`,
        `ngrok config add-authtoken «${generated}${generated}»`,
        `zip -r -P «${generated}» out.zip data`,
        `7z x -p«${generated}» out.7z`,
        `client.login('«MTA${generated}1.Gabc12.${generated}${generated.slice(8)}»')`,
        `Client("AC${'0f1e2d3c'.repeat(4)}", "«${'a7b6c5d4'.repeat(4)}»")`,
        `curl -sS -u deploy:«${generated}» https://ci.quillworks.io`,
        `docker login -u ci -p «${generated}» registry.quillworks.io`,
        `redis-cli -h cache -a «${generated}» ping`,
        `echo «${generated}» | docker login -u ci --password-stdin`,
        `echo "deploy:«${generated}»" | sudo chpasswd`,
        `echo "«${generated}»" | docker secret create mail -`,
        `echo «${generated}» > config/master.key`,
        `bot.run("«MTA${generated}1.Gabc12.${generated}${generated.slice(8)}»")`,
        `curl -u «${generated}»:X https://quillworks.freshdesk.io/api/v2/tickets`,
        `composer config http-basic.repo.quillworks.io ci «${generated}»`,
        `snowsql -u ci --private-key-passphrase «${generated}»`,
        `smtp.PlainAuth("", "ada@quillworks.io", "«${generated}»", "mail.quillworks.io")`,
        'BUNDLE_GEMS__QUILLWORKS__IO=«3f9a27c1:b8e04d65»',
      ],
      [
        'mysql -h db -u root -p shop',
        'mysql -u root -p"$DB_PASSWORD" shop',
        'curl -u "$USER:$PASS" https://ci.quillworks.io',
        'curl -u user:password https://ci.quillworks.io',
        'mkdir -p build && curl -o build/x https://quillworks.io',
        'zip -r out.zip PROJECT1 && gzip -9 x',
        'client.login(process.env.DISCORD_TOKEN)',
        'client.run(request, { timeout: 1000 })',
        'curl -u quillworks-admins: https://ci.quillworks.io',
        'composer config repositories.ci vcs https://quillworks.io/ci',
        'echo "see config/master.key"',
        'smtp.PlainAuth("", user, password, host)',
        'BUNDLE_PATH: "vendor/bundle"',
      ],
    );
  });
});

describe('kubernetesSecret', () => {
  const value = 'TWFwbGUhMjA0MWFiYw==';

  it('finds the secret values of a manifest behind or before its kind', () => {
    const data = `data:\n  user: cXVpbGx3b3Jr\n  tls.crt: LS0tLS1CRUdJTg==\n  salt: "«${value}»"\n`;
    check(
      kubernetesSecret,
      [
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n${data}type: Opaque\n`,
        `apiVersion: v1\n${data}kind: Secret\nmetadata:\n  name: db\n`,
        JSON.stringify({ content: `kind: Secret\n${data}type: Opaque` }),
      ],
      [
        `kind: ConfigMap\n${data.replace(/[«»]/g, '')}`,
        'kind: SecretList\nitems: []\n',
        `kind: Secret\ndata:\n  salt: <the-salt>\n---\nkind: ConfigMap\n${data.replace(/[«»]/g, '')}`,
        'kind: Secret\nmetadata:\n  name: db\n',
        `kind: Secret, whose data: ${value}`,
      ],
    );
  });
});

describe('passwordInOtherLanguages', () => {
  it('finds passwords behind their names', () => {
    check(
      passwordInOtherLanguages,
      [`数据库密码：«${generated}»`, `パスワードは「«${generated}»」です`, `пароль: «Maple!2041abc»`],
      ['密码: {0}', '请输入密码', '密码：passwordField', 'пароль: не задан', 'パスワードは 8 文字以上'],
    );
  });
});

describe('urlPassword', () => {
  it('finds passwords of any scheme', () => {
    check(
      urlPassword,
      [
        `redis://:«${generated}»@cache.quillworks.io:6379`,
        `amqps://worker:«${generated}»@mq.quillworks.io/v`,
        `"https:\\/\\/bot:«${generated}»@git.quillworks.io"`,
      ],
      [
        'https://user:pass@quillworks.io',
        'postgres://app:${PASSWORD}@db/app',
        'http://localhost:3000/@scope/name',
        'ssh://git@github.com:22/x',
      ],
    );
  });
});

describe('signedAddress', () => {
  it('finds the signatures of addresses', () => {
    const hash = 'a1b2c3d4e5f60718'.repeat(4);
    check(
      signedAddress,
      [`?sv=2023-11-03&sig=«${generated}${generated}ab%3D»`, `&X-Amz-Signature=«${hash}»`],
      ['sig=short', 'X-Amz-Signature=none'],
    );
  });
});

describe('sessionCookies and privateKeyMember', () => {
  it('find sessions and keys in JSON', () => {
    check(
      sessionCookies,
      [`Cookie: «sessionid=${generated}${generated}; theme=dark»`],
      ['Cookie: theme=dark; language=english', 'cookie-parser: parses'],
    );
    const half = `${generated}${generated}${generated}`;
    check(
      privateKeyMember,
      [`{"kty":"EC","x":"${half}","d":"«${half}»"}`, `{"d":"«${half}»","kty":"OKP"}`],
      [`{"kty":"EC","x":"${half}","y":"${half}"}`],
    );
  });
});

describe('emailAddress', () => {
  it('finds addresses of people', () => {
    check(
      emailAddress,
      [
        'Author: Ada Quill <«ada.quill@quillworks.io»>',
        'mailto:«a+b@sub.quillworks.co.uk».',
        'Email:«ada@quillworks.io»',
      ],
      [
        'someone@example.com, other@mail.example, x@host.test, y@host.invalid',
        'git@github.com:owner/repository.git',
        'noreply@quillworks.io 1234+ada@users.noreply.github.com',
        'https://user:pass@quillworks.io/path',
        'npm i left-pad@1.3.0 @types/node@20.19.43',
        'icon@2x.png @media print',
        'a@b',
        '@@ -1,4 +1,4 @@',
      ],
    );
  });
});

describe('phoneNumber', () => {
  it('finds international numbers', () => {
    check(
      phoneNumber,
      [
        'Call «+44 20 7946 1234» today',
        'tel: «+49 (30) 1234 5678»',
        '(«+1-212-736-5000»)',
        'mobile «+44 7700 901 275»',
        'mobile «+44 7701 900 275»',
      ],
      [
        '+1 212 736 5000 at the start of an added line',
        'at 10:00:00 +0200',
        'x = y +12 345',
        'fiction: +1 212 555 0123',
        'fiction: +44 7700 900 275',
        'fiction: +44 20 7946 0123',
        'fiction: +44 (0) 117 496 0123',
        'a +44 20',
        '2024-01-01T00:00:00+02:00',
      ],
    );
  });
});

describe('paymentCard', () => {
  it('finds cards by issuer and check digit', () => {
    // Luhn by hand for 4539 1488 0343 646?: the others sum to 73, so the check digit is 7.
    check(
      paymentCard,
      ['«4539 1488 0343 6467»', 'card number: «4539148803436467»', '«4539-1488-0343-6467» ok'],
      [
        '4539 1488 0343 6466',
        'id 4539148803436467',
        'card 4242 4242 4242 4242',
        'card 0.4539148803436467',
        'card 1732147200000000',
      ],
    );
  });

  it('finds the cards of every issuer', () => {
    // Luhn by hand: without the check digit they sum to 44, 74, 41, 41 and 36.
    check(
      paymentCard,
      [
        '«3742 454554 00126»',
        'visa «4929123456781236»',
        '«2221 0012 3412 3419»',
        '«6500-1111-2222-3339»',
        '«5204 7400 0990 0014»',
      ],
      [],
    );
  });
});

describe('bankAccount', () => {
  it('finds accounts by country, length and checksum', () => {
    // The registry's own examples for Germany and the United Kingdom.
    check(
      bankAccount,
      ['IBAN «DE89 3704 0044 0532 0130 00»', '«GB29NWBK60161331926819»;'],
      [
        'DE89 3704 0044 0532 0130 01',
        'XX29NWBK60161331926819',
        'DE8937040044053201300',
        'SHA256AB12CD34EF56GH78',
      ],
    );
  });
});
