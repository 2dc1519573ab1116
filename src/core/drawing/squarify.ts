/** In CSS pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides an area by values, so that each gets its share and boxes are as square as possible: the squarified treemap of
 * Bruls, Huizing and van Wijk (2000). Descending values make the best boxes; each must be above 0.
 */
export function squarified(values: readonly number[], area: Area): readonly Area[] {
  const areas: Area[] = [];
  let total = values.reduce((sum, value) => sum + value, 0);
  let room = area;
  let next = 0;
  while (next < values.length) {
    const side = Math.min(room.width, room.height);
    const pixels = (room.width * room.height) / total;
    let sum = 0;
    let largest = 0;
    let least = Number.POSITIVE_INFINITY;
    let worst = Number.POSITIVE_INFINITY;
    let end = next;
    while (end < values.length) {
      const value = (values[end] ?? 0) * pixels;
      const more = sum + value;
      const most = Math.max(largest, value);
      const fewest = Math.min(least, value);
      // The aspect ratio of the worst box of the row.
      const ratio = Math.max((side * side * most) / (more * more), (more * more) / (side * side * fewest));
      if (ratio > worst) {
        break;
      }
      [sum, largest, least, worst] = [more, most, fewest, ratio];
      end += 1;
    }
    // If the numbers leave no space, the rest is one row.
    end = end === next ? values.length : end;
    const row = values.slice(next, end);
    room = placeRow(row, room, total, areas);
    total -= row.reduce((all, value) => all + value, 0);
    next = end;
  }
  return areas;
}

/** Places a row along the shorter side, and returns the rest of the area. */
function placeRow(row: readonly number[], room: Area, total: number, areas: Area[]): Area {
  const sum = row.reduce((all, value) => all + value, 0);
  const share = total > 0 ? Math.min(1, sum / total) : 1;
  const { left, top, width, height } = room;
  const isColumn = width >= height;
  const breadth = (isColumn ? width : height) * share;
  let before = 0;
  for (const value of row) {
    const from = sum > 0 ? before / sum : 0;
    const part = sum > 0 ? value / sum : 0;
    before += value;
    areas.push(
      isColumn
        ? { left, top: top + height * from, width: breadth, height: height * part }
        : { left: left + width * from, top, width: width * part, height: breadth },
    );
  }
  return isColumn
    ? { left: left + breadth, top, width: width - breadth, height }
    : { left, top: top + breadth, width, height: height - breadth };
}
