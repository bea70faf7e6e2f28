import * as z from 'zod/mini'
import { defaultLimits } from '../../kit/limit.ts'

/** A part that many pages share: whatever is inside an element that one of the selectors (CSS, or XPath) names. */
export const CommonComponent = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength)),
  selectors: z
    .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)))
    .check(z.minLength(1), z.maxLength(50)),
})
export type CommonComponent = z.output<typeof CommonComponent>

/** URLs that are written differently may be one. */
const hrefOf = (text: string): string => URL.parse(text)?.href ?? text

/** Common components of a scan. Templates are pages that show them: visited in every run, first. */
export const CommonComponents = z
  .strictObject({
    templateUrls: z
      .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)))
      .check(z.minLength(1), z.maxLength(50)),
    components: z.array(CommonComponent).check(z.minLength(1), z.maxLength(200)),
  })
  .check(
    z.refine(({ templateUrls }) => new Set(templateUrls.map(hrefOf)).size === templateUrls.length, {
      path: ['templateUrls'],
      params: { code: 'duplicate' },
    }),
    z.refine(({ components }) => new Set(components.map(({ name }) => name)).size === components.length, {
      path: ['components'],
      params: { code: 'duplicate' },
    }),
    z.refine(
      ({ components }) => {
        const selectors = components.flatMap((component) => component.selectors)
        return new Set(selectors).size === selectors.length
      },
      { path: ['components'], params: { code: 'duplicate' } },
    ),
  )
export type CommonComponents = z.output<typeof CommonComponents>
