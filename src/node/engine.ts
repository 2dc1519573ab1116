import { setFlagsFromString } from 'node:v8';

/** Sets V8 up for a process that works for a second or two on one file. Call it before any other work. */
export function prepareEngine(): void {
  // Collects garbage when the heap has grown by half. By default, V8 waits until it is four times the size needed while a
  // large file is read (Node 20, 300 MB: 136 MB of heap for 54 MB of objects).
  setFlagsFromString('--heap-growing-percent=50');
  // Optimises a function after it has run about twice as long as by default, in units of bytecode: that takes a tenth less
  // processor time, and is faster than both the default and eight times as long (Node 20, 4 to 100 MB).
  setFlagsFromString('--interrupt-budget=300000');
}
