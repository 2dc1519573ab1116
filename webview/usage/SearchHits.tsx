import { visibleText } from '../../src/core/base/visibleText';
import { kindWords } from '../../src/core/drawing/drawingWords';
import { iconOfBlock } from '../../src/core/drawing/icons';
import { agentSign } from '../../src/core/finder/agentLocations';
import { lastName } from '../../src/core/base/pathPattern';
import { folderNames } from '../../src/core/finder/projectNames';
import { describeAge } from '../../src/core/finder/sessionText';
import { withNamedMarks } from '../../src/core/sensitivity/redactionMark';
import { requestLabel, requestNumber } from '../../src/core/view/requestNames';
import { Icon } from '../components/common/Icon';
import { Tag } from '../controls/Tag';
import { searchWords as words } from '../words/search';
import type { FoundHit } from './searchFilters';

/** The id of an option. The field refers to it while keys walk through the list. */
export const hitId = (index: number): string => `all-search-hit-${index}`;

interface HitsProps {
  readonly hits: readonly FoundHit[];
  /** True if not everything was counted. */
  readonly isLeast: boolean;
  readonly active: number;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  readonly onOpen: (hit: FoundHit) => void;
}

/** The hits by session, newest session first. */
export function SearchHits({ hits, isLeast, active, now, onOpen }: HitsProps) {
  const folders = folderNames(hits.map(({ project }) => project));
  return (
    <div id="all-search-results" className="all-search__list" role="listbox" aria-label={words.results}>
      {groupsOf(hits).map(({ first, start, members }) => {
        const title = first.title === '' ? words.untitled : visibleText(withNamedMarks(first.title));
        return (
          <div key={`${first.file} ${start}`} className="ruled" role="group" aria-label={title}>
            <div className="all-search__session" role="presentation">
              <span className="agent-sign" title={first.agent} aria-hidden="true">
                {agentSign(first.agent)}
              </span>
              <span className="ellipsis strong" title={title}>
                {title}
              </span>
              <span className="ellipsis muted fine" title={first.project}>
                {[visibleText(folders.get(first.project) ?? ''), describeAge(now, first.lastUsed)]
                  .filter(part => part !== '')
                  .join(' · ')}
              </span>
            </div>
            {members.map((hit, place) => (
              <Hit
                key={`${hit.conversation} ${hit.block}`}
                hit={hit}
                isLeast={isLeast}
                index={start + place}
                isActive={start + place === active}
                onOpen={onOpen}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

interface HitProps {
  readonly hit: FoundHit;
  /** True if there may be more sessions with the same text. */
  readonly isLeast: boolean;
  readonly index: number;
  readonly isActive: boolean;
  readonly onOpen: (hit: FoundHit) => void;
}

function Hit({ hit, isLeast, index, isActive, onOpen }: HitProps) {
  const { kind, source, context, removed, left, isError, request, conversation, also } = hit;
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keyboard for its list
    <div
      id={hitId(index)}
      className={`all-search__hit list-line${isActive ? ' all-search__hit--active' : ''}`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onClick={() => onOpen(hit)}
    >
      <Icon icon={iconOfBlock(kind, source)} />
      <div className="shrinks">
        <p className="all-search__context breaks">
          {context === undefined ? (
            <span className="muted">{words.unreadable}</span>
          ) : (
            <>
              {plain(context.before).trimStart()}
              <mark>{plain(context.hit)}</mark>
              {plain(context.after)}
            </>
          )}
        </p>
        <p className="all-search__place row wraps breaks muted fine">
          <span>
            {[
              ...(request === undefined ? [] : [words.request(requestLabel({ conversation, request }))]),
              nameOf(hit),
            ].join(' · ')}
          </span>
          {also > 0 && (
            <span title={words.alsoHint}>
              <Tag>{(isLeast ? words.alsoAtLeast : words.also)(also)}</Tag>
            </span>
          )}
          {isError && <Tag tone="danger">{words.failed}</Tag>}
          {removed && (
            <span title={words.removedHint}>
              <Tag>{left === undefined ? words.removed : words.removedAt(requestNumber(left))}</Tag>
            </span>
          )}
        </p>
      </div>
    </div>
  );
}

/** The file or the tool of a block, otherwise its kind. */
function nameOf({ kind, path = '', tool = '' }: FoundHit): string {
  return visibleText(lastName(path) || tool) || kindWords[kind];
}

/** Lines of a text as one. */
const plain = (text: string): string => visibleText(text.replace(/\s+/g, ' '));

interface HitGroup {
  readonly first: FoundHit;
  /** The index of its first hit among all hits. */
  readonly start: number;
  readonly members: FoundHit[];
}

/** The hits of one session follow each other. A file may contain several sessions. */
function groupsOf(hits: readonly FoundHit[]): readonly HitGroup[] {
  const groups: HitGroup[] = [];
  for (const [index, hit] of hits.entries()) {
    const last = groups.at(-1);
    if (last?.first.file === hit.file && last.first.id === hit.id) {
      last.members.push(hit);
    } else {
      groups.push({ first: hit, start: index, members: [hit] });
    }
  }
  return groups;
}
