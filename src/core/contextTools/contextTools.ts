import type { ContextTool } from './contextTool';
import { contextStatus } from './contextStatus';
import { findInSessions } from './findInSessions';
import { forecast } from './forecast';
import { wasSeen } from './wasSeen';
import { whatFillsContext } from './whatFillsContext';
import { whatWasDropped } from './whatWasDropped';
import { whyCacheLost } from './whyCacheLost';
import { worthALook } from './worthALook';

/** All questions that a model can ask about a context. A new one is a file beside this one, and an entry here. */
export const contextTools: readonly ContextTool[] = [
  contextStatus,
  whatFillsContext,
  wasSeen,
  whatWasDropped,
  whyCacheLost,
  forecast,
  worthALook,
  findInSessions,
];
