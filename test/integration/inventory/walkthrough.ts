import assert from 'node:assert/strict';
import { ui } from '../driver';

/** The steps of the walkthrough that is shown, in their order, and whether each is ticked off. */
export async function walkthroughSteps(): Promise<
  readonly { readonly step: string; readonly isDone: boolean }[]
> {
  const states = await ui(({ page }) =>
    page
      .locator('[data-done-step-id]')
      .filter({ visible: true })
      .evaluateAll(all =>
        all.map(each =>
          ['data-done-step-id', 'aria-checked'].map(name =>
            'getAttribute' in each && each.getAttribute instanceof Function
              ? String(Reflect.apply(each.getAttribute, each, [name]))
              : '',
          ),
        ),
      ),
  );
  assert.ok(Array.isArray(states));
  return states.map((state: unknown) => {
    assert.ok(Array.isArray(state));
    return { step: String(state[0]).replace(/.*#/, ''), isDone: state[1] === 'true' };
  });
}
