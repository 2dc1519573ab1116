/**
 * What a reader was held against: the requests that the model really received, transcripts that other people's agents
 * wrote, or only the source or documents of the writer.
 */
export type Proof = 'requests' | 'files' | 'rules';

export interface CheckedFormat {
  readonly proof: Proof;
  /** The newest version of the writer that the reader was checked with, where transcripts name one. */
  readonly upTo?: string;
  /**
   * The kinds of records that are left out on purpose, where the format has kinds; `x *` stands for all that begin with
   * `x`. A kind that is neither read nor listed here is unknown.
   */
  readonly kinds?: string;
}

/** All formats by their ids. A reader of a newer version adds its kinds and the version here. */
export const checkedFormats: Readonly<Record<string, CheckedFormat>> = {
  aider: { proof: 'files', upTo: '0.86' },
  amp: { proof: 'rules' },
  'anthropic-messages': { proof: 'rules' },
  'anthropic-request': { proof: 'files' },
  antigravity: { proof: 'rules' },
  'api-calls': { proof: 'files' },
  'api-capture': { proof: 'files' },
  atif: { proof: 'rules' },
  'claude-code': {
    proof: 'requests',
    upTo: '2.1.330',
    kinds: `queue-operation;file-history-snapshot;file-history-delta;pr-link;last-prompt;atis-latch;request;tools-used;
      cost-state;mode;permission-mode;ai-title;custom-title;agent-name;agent-color;agent-setting;summary;tag;
      worktree-state;content-replacement;marble-origami-commit;marble-origami-snapshot;attribution-snapshot;
      speculation-accept;task-summary;bridge-session;session-name;relocated;
      progress *;system *;prompt_snapshot;deferred_tools_record;command_permissions;session_context;
      deferred_tools_delta;agent_listing_delta;skill_listing;mcp_instructions_delta;hook_success;
      hook_additional_context;hook_system_message;todo_reminder;task_reminder`,
  },
  'claude-managed-agents': {
    proof: 'rules',
    kinds: `session.status_running;session.status_idle;session.status_rescheduled;session.status_terminated;
      session.updated;session.deleted;session.error;session.usage_updated;session.thread_created;
      session.thread_idle;session.thread_status_running;session.thread_status_idle;
      session.thread_status_terminated;session.outcome_evaluated;session.outcome_evaluation_start;
      session.outcome_evaluation_end;span.model_request_start;span.model_request_end;
      span.outcome_evaluation_start;span.outcome_evaluation_ongoing;span.outcome_evaluation_end;
      user.interrupt;user.tool_confirmation;user.define_outcome`,
  },
  'claude-managed-agents-list': { proof: 'rules' },
  'claude-result': { proof: 'requests', upTo: '2.1.330' },
  'claude-stream-json': {
    proof: 'requests',
    upTo: '2.1.330',
    kinds: `init;background_tasks_changed;task_started;task_progress;task_updated;task_notification;thinking_tokens;status;
      compact_boundary;api_retry;permission_denied;stream_event;hook_started;hook_progress;hook_response;
      control_request;control_response;control_cancel_request;keep_alive;tool_progress;auth_status;rate_limit_event;
      files_persisted;local_command_output;tool_use_summary;prompt_suggestion;session_state_changed;
      elicitation_complete;post_turn_summary;result;system`,
  },
  cline: { proof: 'requests', upTo: '3.0.65' },
  'cline-stream': {
    proof: 'requests',
    upTo: '3.0.65',
    kinds: `agent_start;agent_end;iteration_start;iteration_end;content_start;content_update;usage;tool_call;tool_result;
      done;run_result;error;abort;session_start;session_end;notice`,
  },
  codex: {
    proof: 'requests',
    upTo: '0.169.0',
    kinds: `turn_context;world_state;inter_agent_communication;inter_agent_communication_metadata;retained_context;
      security_risk_score;realtime_item;state;header;token_usage_record;ghost_snapshot;
      user_message;agent_message;agent_message_delta;agent_reasoning;agent_reasoning_delta;
      agent_reasoning_raw_content;agent_reasoning_section_break;task_started;task_complete;turn_started;
      turn_complete;turn_aborted;token_count;patch_apply_begin;patch_apply_updated;patch_apply_end;turn_diff;
      exec_command_begin;exec_command_output_delta;exec_command_end;terminal_interaction;
      mcp_tool_call_begin;mcp_tool_call_end;mcp_startup_update;mcp_startup_complete;web_search_begin;
      web_search_end;image_generation_begin;image_generation_end;view_image_tool_call;
      context_compacted;thread_rolled_back;thread_settings_applied;thread_name_updated;thread_goal_updated;
      entered_review_mode;exited_review_mode;item_started *;item_completed *;item_started;item_completed;
      plan_update;plan_delta;background_event;stream_error;error;warning;deprecation_notice;model_reroute;
      session_configured;raw_response_item;undo_started;undo_completed;shutdown_complete;
      exec_approval_request;apply_patch_approval_request;elicitation_request;request_user_input;
      request_permissions;dynamic_tool_call_request;dynamic_tool_call_response;guardian_assessment;
      hook_started;hook_completed;skills_update_available;sub_agent_activity;
      collab_agent_spawn_begin;collab_agent_spawn_end;collab_agent_interaction_begin;
      collab_agent_interaction_end;collab_waiting_begin;collab_waiting_end;collab_close_begin;
      collab_close_end;collab_resume_begin;collab_resume_end`,
  },
  'codex-exec': {
    proof: 'requests',
    upTo: '0.169.0',
    kinds: 'thread.started;turn.started;turn.completed;turn.failed;item.started;item.updated;error',
  },
  'copilot-chat-replay': { proof: 'files', kinds: 'element;toolCall;request' },
  'copilot-debug-log': {
    proof: 'rules',
    upTo: '0.61.2026080703',
    kinds: `session_start;user_message;turn_start;turn_end;agent_response;tool_call;child_session_ref;subagent;hook;
      discovery;generic;llm_request`,
  },
  'copilot-events': {
    proof: 'requests',
    upTo: '1.0.102',
    // The types of session-events.schema.json of @github/copilot 1.0.102.
    kinds: `abort;agent.interrupted;result;tool_search.activated;ui.ephemeral_query;prompt_cache_break;
      assistant.fusion_phase_activity;assistant.fusion_phase_completed;assistant.fusion_phase_failed;
      assistant.fusion_phase_started;assistant.idle;assistant.intent;assistant.message_delta;
      assistant.message_start;assistant.reasoning;assistant.reasoning_delta;assistant.server_tool_progress;
      assistant.streaming_delta;assistant.tool_call_delta;assistant.turn_end;assistant.turn_retry;
      assistant.turn_start;assistant.usage;auto_mode_switch.completed;auto_mode_switch.requested;
      capabilities.changed;command.completed;command.execute;command.queued;commands.changed;
      elicitation.completed;elicitation.requested;exit_plan_mode.completed;exit_plan_mode.requested;
      external_tool.completed;external_tool.requested;hook.end;hook.progress;hook.start;
      human_response.recorded;mcp.headers_refresh_completed;mcp.headers_refresh_required;mcp.oauth_completed;
      mcp.oauth_recovery_completed;mcp.oauth_required;mcp.prompts.list_changed;mcp.resources.list_changed;
      mcp.tools.list_changed;mcp_app.tool_call_complete;model.call_failure;model.call_final_result;
      model.call_finished;model.call_start;pending_messages.modified;permission.assentDetected;
      permission.carriedForward;permission.completed;permission.contextualAuthorization;
      permission.messageAuthorization;permission.messageAuthorizationDegraded;
      permission.messageAuthorizationRead;permission.requested;sampling.completed;sampling.requested;
      sandbox.decision;session.auto_mode_resolved;session.auto_tier_recommendation;
      session.auto_tier_switch_failed;session.autopilot_objective_changed;session.autopilot_stopped;
      session.background_tasks_changed;session.binary_asset;session.canvas.closed;session.canvas.opened;
      session.canvas.recorded;session.canvas.registry_changed;session.canvas.removed;
      session.canvas.unavailable;session.compaction_complete;session.compaction_start;
      session.completion_receipt;session.context_changed;session.context_cleared;
      session.custom_agents_updated;session.custom_notification;session.error;
      session.extensions.attachments_pushed;session.extensions_loaded;session.fusion_change_checkpoint;
      session.fusion_commit_started;session.fusion_completed;session.fusion_handoff;session.fusion_resolved;
      session.fusion_route_failed;session.fusion_route_started;session.handoff;session.idle;
      session.indexed_search;session.info;session.managed_plugin_progress;session.managed_settings_enforced;
      session.managed_settings_resolved;session.mcp_server_needs_reconnect;session.mcp_server_removed;
      session.mcp_server_status_changed;session.mcp_server_tools_loaded;session.mcp_servers_loaded;
      session.memory_changed;session.mode_changed;session.mode_notice_delivered;session.model_change;
      session.model_deselected;session.permission_recovery;session.permissions_changed;session.plan_changed;
      session.quota_observation;session.remote_steerable_changed;session.request_body_compression_disabled;
      session.resume;session.schedule_cancelled;session.schedule_created;session.schedule_rearmed;
      session.session_limits_changed;session.shutdown;session.skills_loaded;session.snapshot_rewind;
      session.start;session.task_complete;session.title_changed;session.todos_changed;session.tools_updated;
      session.truncation;session.usage_checkpoint;session.usage_info;session.usage_record;session.warning;
      session.workspace_file_changed;session_limits_exhausted.completed;session_limits_exhausted.requested;
      skill.context_delivered;skill.context_delivered_ref;skill.invoked;skill.invoked_ref;
      subagent.completed;subagent.configured;subagent.deselected;subagent.failed;subagent.selected;
      subagent.started;system.notification;tool.execution_partial_result;tool.execution_progress;
      tool.execution_start;tool.shell_output;tool.user_requested;user_input.completed;
      user_input.requested;workflow.run_settled;workflow.run_started;workflow.run_updated`,
  },
  'copilot-spans': { proof: 'requests', upTo: '1.0.102' },
  'copilot-traces': { proof: 'rules' },
  'copilot-usage': { proof: 'rules' },
  continue: { proof: 'rules' },
  crush: { proof: 'files', kinds: 'finish' },
  'cursor-agent': { proof: 'rules' },
  droid: { proof: 'rules', upTo: '2', kinds: 'session_start;todo_state' },
  'droid-exec': { proof: 'rules', kinds: 'system;completion' },
  entire: { proof: 'rules' },
  'gemini-checkpoint': { proof: 'files' },
  'gemini-cli-chat': { proof: 'files' },
  'gemini-cli-log': { proof: 'requests' },
  'gemini-responses': { proof: 'files' },
  'gemini-stream-json': { proof: 'requests', kinds: 'init;result;error' },
  goose: { proof: 'rules' },
  'goose-lines': { proof: 'rules', kinds: 'session' },
  'grok-build': { proof: 'requests' },
  har: { proof: 'rules' },
  hermes: { proof: 'rules' },
  'hermes-lines': { proof: 'rules' },
  'hermes-session': { proof: 'rules' },
  iflow: { proof: 'files', upTo: '1.0' },
  'inspect-log': {
    proof: 'files',
    upTo: '0.3.239',
    kinds: `span_begin;span_end;sample_init;sample_limit;state;store;tool;sandbox;score;score_edit;step;info;input;error;
      logger;approval;subtask;compaction;interrupt;checkpoint`,
  },
  'kimi-context': { proof: 'rules', kinds: '_checkpoint;_usage;_system_prompt' },
  'kimi-records': {
    proof: 'files',
    upTo: '1.5',
    kinds: `metadata;forked;turn.prompt;turn.steer;turn.cancel;turn.ended;config.update;profile.bind;
      permission.set_mode;permission.record_approval_result;full_compaction.begin;full_compaction.cancel;
      full_compaction.complete;micro_compaction.apply;plan_mode.enter;plan_mode.cancel;plan_mode.exit;
      swarm_mode.enter;swarm_mode.exit;tools.register_user_tool;tools.unregister_user_tool;
      tools.set_active_tools;tools.reset_active_tools;tools.update_store;usage.record;context.clear;
      context.undo;context.update_token_count;goal.create;goal.update;goal.clear;llm.tools_snapshot;
      mcp.tools_discovered;step.begin;step.end`,
  },
  'kimi-wire': {
    proof: 'rules',
    upTo: '1.1',
    kinds: `metadata;StepBegin;StepInterrupted;StatusUpdate;TurnEnd;CompactionBegin;CompactionEnd;SubagentEvent;
      SteerInput;MCPLoadingBegin;MCPLoadingEnd;ApprovalRequest;ApprovalRequestResolved;ApprovalResponse;
      QuestionRequest;ToolCallRequest;Notification;PlanDisplay;HookTriggered;HookResolved;BtwBegin;BtwEnd`,
  },
  kiro: { proof: 'files' },
  'kiro-session': { proof: 'rules' },
  langchain: { proof: 'rules' },
  'langchain-lines': { proof: 'rules' },
  langfuse: { proof: 'files' },
  lhar: { proof: 'rules', kinds: 'session' },
  'lhar-document': { proof: 'rules', kinds: 'session' },
  'message-list': { proof: 'files' },
  'mini-swe-agent': { proof: 'files', kinds: 'exit' },
  'mistral-vibe': { proof: 'rules' },
  'openai-chat-conversations': { proof: 'rules' },
  'openai-chat-messages': { proof: 'files' },
  'openai-chat-request': { proof: 'files' },
  opencode: { proof: 'requests', upTo: '1.18.34' },
  'opencode-run': {
    proof: 'requests',
    upTo: '1.18.34',
    kinds: 'step-start;step-finish;error;patch;snapshot',
  },
  openhands: { proof: 'files' },
  'openhands-lines': { proof: 'files' },
  otlp: { proof: 'files' },
  'otlp-lines': { proof: 'files' },
  pi: {
    proof: 'requests',
    upTo: '3',
    kinds: `session;thinking_level_change;model_change;session_info;label;custom;agent_start;agent_end;agent_settled;
      turn_start;turn_end;message_start;message_update;message_end;tool_execution_start;tool_execution_update;
      tool_execution_end;compaction_start;compaction_end;auto_retry_start;auto_retry_end;queue_update;
      extension_error;response`,
  },
  'qwen-code': { proof: 'requests', upTo: '0.24.4', kinds: 'system *' },
  sharegpt: { proof: 'files' },
  'sharegpt-lines': { proof: 'rules' },
  'swe-agent': { proof: 'files' },
  'vscode-chat': { proof: 'files', upTo: '1.0.0' },
  zed: { proof: 'rules' },
};

/** The kinds that a format leaves out on purpose; undefined if it has no kinds. */
export function kindsOf(format: string): ReadonlySet<string> | undefined {
  const kinds = checkedFormats[format]?.kinds;
  return kinds === undefined ? undefined : new Set(kinds.split(';').map(kind => kind.trim()));
}

/** The words of all of them. */
export const knownKinds: readonly string[] = Object.keys(checkedFormats).flatMap(format =>
  [...(kindsOf(format) ?? [])].flatMap(kind => kind.split(' ').filter(word => word !== '*')),
);
