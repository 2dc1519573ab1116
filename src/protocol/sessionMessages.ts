import type { SessionSummary } from '../core/model/columns';
import type { ColumnUpdate } from './columnUpdate';
import type { PackedColumns } from './packedColumns';

/** The worker's current activity. `done` and `total` are bytes for reading, blocks for measuring. */
export interface Progress {
  readonly phase: 'reading' | 'measuring';
  readonly done: number;
  readonly total: number;
}

/** A whole session: the first one, and later if the changes cannot be sent as an update. */
export interface SessionState {
  readonly type: 'session';
  /** Increases with each update. */
  readonly revision: number;
  readonly summary: SessionSummary;
  readonly columns: PackedColumns;
  /** Work in progress in the background; absent when every figure is final. */
  readonly pending?: 'measuring' | undefined;
}

/** The difference from the previous revision: better figures, or additions to the file. */
export interface SessionUpdate {
  readonly type: 'update';
  readonly revision: number;
  readonly summary: Partial<SessionSummary>;
  readonly columns: ColumnUpdate;
  readonly pending?: 'measuring' | undefined;
}
