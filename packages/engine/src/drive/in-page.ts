import { makeChangeWatcher } from './change-in-page.ts'
import { makeFocusReader } from './focus-in-page.ts'
import { makeFocusReach } from './focus-reach-in-page.ts'
import { makeFocusSelectors } from './focus-selectors-in-page.ts'
import { makeDriveKit } from './kit-in-page.ts'
import { makePageReader } from './page-in-page.ts'
import { makePresser } from './press-in-page.ts'
import { makePositionReader } from './position-in-page.ts'
import { makeTemplateReader } from './template-in-page.ts'
import { makeTextMeter } from './text-in-page.ts'
import { makeWalker } from './walk-in-page.ts'

/** Defines `clearwayDrive` once per document. Expressions call it by name, so the names must not change. Parts are their source texts, as functions of the previous ones. */
export const driveScript = `globalThis.clearwayDrive ??= (() => {
  const kit = (${makeDriveKit.toString()})();
  const focus = (${makeFocusReader.toString()})(kit);
  const reach = (${makeFocusReach.toString()})(kit, (${makeFocusSelectors.toString()})(kit));
  const press = (${makePresser.toString()})(kit);
  return { kit, focus, press, text: (${makeTextMeter.toString()})(kit), page: (${makePageReader.toString()})(kit),
    template: (${makeTemplateReader.toString()})(kit),
    walk: (${makeWalker.toString()})(kit, { focus, reach, position: (${makePositionReader.toString()})(kit) }), change: (${makeChangeWatcher.toString()})(kit, press) };
})();`
