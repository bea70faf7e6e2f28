import * as z from 'zod/mini'
import { NameText } from '../../kit/name.ts'
import { normalizeHref, findRepeated } from '../scan/model.ts'

/** A part shared by many pages: everything inside elements that match one of the selectors (CSS, or XPath). */
export const CommonComponent = z.strictObject({
  name: NameText,
  selectors: z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(2000))).check(z.minLength(1), z.maxLength(50)),
})
export type CommonComponent = z.output<typeof CommonComponent>

/** Common components of a scan. Templates are pages that contain them; they are visited first in every run. */
export const CommonComponents = z
  .strictObject({
    templateUrls: z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(4000))).check(z.minLength(1), z.maxLength(50)),
    components: z.array(CommonComponent).check(z.minLength(1), z.maxLength(200)),
  })
  .check(
    z.refine(({ templateUrls }) => findRepeated(templateUrls, normalizeHref).size === 0, {
      path: ['templateUrls'],
      params: { code: 'duplicate' },
    }),
    z.refine(({ components }) => new Set(components.map(({ name }) => name)).size === components.length, {
      path: ['components'],
      params: { code: 'duplicate' },
    }),
    z.refine(
      ({ components }) => {
        const allSelectors = components.flatMap((component) => component.selectors)
        return new Set(allSelectors).size === allSelectors.length
      },
      { path: ['components'], params: { code: 'duplicate' } },
    ),
  )
export type CommonComponents = z.output<typeof CommonComponents>
