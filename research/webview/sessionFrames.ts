/// <reference types="node" />
import { type LaunchOptions, type Page } from 'playwright-core';
import type { SessionFrames } from '../bench/panning';
import type { PageDetails, PageSession, ToSessionsPage } from '../../src/protocol/sessionsPage';
import { inUnlimitedBrowser } from './panning';
import { minute, openSessions, sampleMarks } from '../../test/webview/sessionsHarness';

const framesInRound = 240;
/** The work of a step may be spread over so many frames. */
const framesOfStep = 4;
/** As many as one message of the host has. */
const detailsInMessage = 500;

interface SessionFramesOptions {
  /** Folders with the webview's bundles and the fake host. */
  readonly folders: readonly string[];
  readonly browser: LaunchOptions;
  readonly sessions: number;
}

/** Opens, scrolls, groups and searches a list of many sessions, in a browser that draws the next frame at once. */
export function measureSessions({
  folders,
  browser,
  sessions,
}: SessionFramesOptions): Promise<SessionFrames> {
  return inUnlimitedBrowser({ folders, browser }, async () => {
    const { page, close } = await openSessions();
    await keepFrames(page);
    const [list, marks, details] = manySessions(sessions, Date.now());
    // Data from the test would be unpacked in a frame of the page, so it is passed beforehand.
    await page.evaluate(messages => window.waiting.push(...messages), [list, marks, ...details]);
    const send = (message: number): Promise<void> =>
      page.evaluate(number => window.postMessage(window.waiting[number], '*'), message);
    const parts = details.map((_, index) => index + 2);
    /** The longest frame of what happens while `act` runs, and shortly after it. */
    const longestOf = async (act: () => Promise<unknown>): Promise<number> => {
      await page.evaluate(async () => {
        // The frame in which something happened before ends first.
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        window.frameTimes.splice(0);
      });
      await act();
      return page.evaluate(async count => {
        for (let frame = 0; frame < count; frame += 1) {
          await new Promise(requestAnimationFrame);
        }
        return Math.max(...window.frameTimes);
      }, framesOfStep);
    };
    const eachOf = async <Step>(
      steps: readonly Step[],
      act: (step: Step) => Promise<unknown>,
    ): Promise<number[]> => {
      const times: number[] = [];
      for (const step of steps) {
        times.push(await longestOf(() => act(step)));
      }
      return times;
    };
    const opened = await longestOf(async () => {
      await send(0);
      await page.getByRole('treeitem').first().waitFor();
    });
    const read = await eachOf(parts, send);
    const marked = await eachOf([1, 1, 1], send);
    const scrolled = await scrollFrames(page, 210);
    // As by dragging the bar: another part of the list in each frame.
    const jumped = await scrollFrames(page, 20_011);
    const grouped = await eachOf(['Project', 'Agent', 'Recent', 'Project', 'Recent'], name =>
      page.getByRole('radio', { name, exact: true }).check(),
    );
    const search = page.getByRole('textbox');
    const typed = await eachOf('checkout 12'.split(/(?:)/u), letter => search.press(letter));
    const readWhileSearched = await eachOf(parts.slice(0, 6), send);
    await search.fill('');
    const listed = await eachOf([0, 0, 0], send);
    await close();
    return {
      opened: [opened],
      read: [...read, ...readWhileSearched],
      scrolled,
      jumped,
      grouped,
      typed,
      marked,
      listed,
    };
  });
}

declare global {
  interface Window {
    /** Milliseconds from frame to frame. */
    frameTimes: number[];
    /** Messages of the host that are not sent yet. */
    waiting: ToSessionsPage[];
  }
}

function keepFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.frameTimes = [];
    window.waiting = [];
    let last = performance.now();
    const step = (now: number): void => {
      window.frameTimes.push(now - last);
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

function scrollFrames(page: Page, pixels: number): Promise<number[]> {
  return page.evaluate(
    async ([count, distance]) => {
      const tree = document.querySelector('.tree');
      window.frameTimes.splice(0);
      let direction = 1;
      for (let frame = 0; frame < count; frame += 1) {
        await new Promise(requestAnimationFrame);
        if (tree !== null) {
          const { scrollTop, clientHeight, scrollHeight } = tree;
          direction = scrollTop <= 0 ? 1 : scrollTop + clientHeight >= scrollHeight - 1 ? -1 : direction;
          tree.scrollTop += direction * distance;
        }
      }
      return window.frameTimes.slice(0, count);
    },
    [framesInRound, pixels] as const,
  );
}

/**
 * Sessions of five agents and two hundred projects, one every ten minutes; what the index found in each; and what was
 * read of them.
 */
function manySessions(
  count: number,
  now: number,
): readonly [list: ToSessionsPage, marks: ToSessionsPage, details: readonly ToSessionsPage[]] {
  const agents = ['Claude Code', 'Codex', 'opencode', 'Gemini CLI', 'pi'];
  const projects = Array.from({ length: 200 }, (_, index) => ({
    key: `/work/project-${index}`,
    name: `project-${index}`,
    isFolder: true,
  }));
  const sessions = Array.from({ length: count }, (_, id): PageSession => ({
    id,
    agent: id % agents.length,
    project: (id * 7) % projects.length,
    isHere: id % 50 === 0,
    time: now - id * 10 * minute,
    written: now - id * 10 * minute,
  }));
  const details = sessions.map(({ id, agent, time }): PageDetails => ({
    id,
    description: {
      title: `${id % 3 === 0 ? 'Checkout' : 'Refund'} totals are off by ${id} cents in the shop`,
      agent: agents[agent] ?? '',
      facts: '12 requests · 80 KB',
      tooltip: `Totals ${id}\n12 requests · 80 KB`,
      lastUsed: time,
      branch: `fix/${id}`,
    },
    usage: { fill: (id % 100) / 100, cost: id / 1000 },
    drag: { uri: `file:///home/ada/${id}.jsonl`, editors: '[]' },
  }));
  const messages = Array.from({ length: Math.ceil(count / detailsInMessage) }, (_, part): ToSessionsPage => ({
    type: 'details',
    details: details.slice(part * detailsInMessage, (part + 1) * detailsInMessage),
    left: Math.max(0, count - (part + 1) * detailsInMessage),
  }));
  const marks = sessions.map(({ id }) => ({ id, secrets: id % 3, personal: 1 + (id % 5), breaks: id % 7 }));
  return [
    { type: 'list', sessions, agents, projects, grouping: 'recent' },
    { ...sampleMarks, marks },
    messages,
  ];
}
