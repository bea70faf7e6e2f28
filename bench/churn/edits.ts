/** Step that makes a page of a site: `build` 0 as it was, 1 after a harmless edit. */
type Step = (html: string, build: number) => string

const toHash = (text: string, build: number): string => {
  let hash = 2_166_136_261 + build * 7919
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16_777_619)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

const rawText = /<(?:script|style|pre|textarea|template)\b[\s\S]*?<\/(?:script|style|pre|textarea|template)>|<!--[\s\S]*?-->/gi
/** Changes markup outside of scripts, styles, preformatted text and comments. */
function changeMarkup(html: string, change: (markup: string) => string): string {
  const rawParts = html.match(rawText) ?? []
  return html
    .split(rawText)
    .map((part, index) => change(part) + (rawParts[index] ?? ''))
    .join('')
}
const beforeBodyEnd = (html: string, added: string): string => html.replace(/<\/body>|$/i, (end) => added + end)
const afterBodyStart = (html: string, added: string): string => html.replace(/<body\b[^>]*>/i, (tag) => tag + added)

/** The same list in the reverse order, of lists without lists. */
const reverseLists: Step = (html, build) =>
  build === 0
    ? html
    : html.replaceAll(/(<ul\b[^>]*>)((?:\s*<li\b(?:(?!<\/?ul|<li\b)[\s\S])*?<\/li>)+)(\s*<\/ul>)/gi, (_, start, items, end) => {
        const listItems = String(items).match(/<li\b(?:(?!<li\b)[\s\S])*?<\/li>/gi) ?? []
        return `${start}${listItems.reverse().join('\n')}${end}`
      })

/** Wrappers without a box of their own: others move what is in a row or a grid, and axe then measures another page. */
const wrapElements: Step = (html, build) =>
  build === 0
    ? html
    : changeMarkup(html, (markup) =>
        markup
          .replaceAll(
            /<(main|section|form|table)\b[^>]*>/gi,
            '<div class="wrap" style="display:contents"><div style="display:contents">$&',
          )
          .replaceAll(/<\/(main|section|form|table)>/gi, '$&</div></div>'),
      )

/**
 * Gives each element of a page a number of its own, the same after all edits. The method that recognizes issues reads no values with
 * digits in such attributes.
 */
export function numberElements(html: string): string {
  let count = 0
  return changeMarkup(html, (markup) =>
    markup.replaceAll(/<[a-z][\w-]*(?=[\s/>])/gi, (tag) => `${tag} data-element="e${(count += 1)}"`),
  )
}
/** Returns the number of the element at the beginning of markup; null for those that an edit or a script added. */
export const readElementNumber = (html: string): string | null => /^<[^>]*?\sdata-element="?(e\d+)/.exec(html)?.[1] ?? null

const dates = ['Updated on 2 November 2026 at 3:04 PM, 1,204 visitors', 'Updated on 14.03.2027 um 15:04 Uhr, 98.211 visitors']

/** Blocks that arrive in one order or the other, with an issue each. */
const addLazyBlocks: Step = (html, build) =>
  beforeBodyEnd(
    html,
    `<div role="region" aria-label="Offers" id="lazy-blocks"></div><script>
for (const [name, delay] of [['first', ${build === 0 ? 20 : 150}], ['second', ${build === 0 ? 150 : 20}]])
  setTimeout(() => document.getElementById('lazy-blocks').insertAdjacentHTML('beforeend',
    '<div><h2>Offer ' + name + '</h2><p>Only this week: ' + name + '.</p><img src="/offer-' + name + '.png"></div>'), delay)
</script>`,
  )

/** End tags that the HTML standard lets out: the element of the same kind follows, or its parent ends. */
const omissibleEndTags =
  /<\/li>(?=\s*(?:<li\b|<\/[uo]l>))|<\/(?:td|th)>(?=\s*(?:<t[dh]\b|<\/tr>))|<\/d[dt]>(?=\s*<d[dt]\b)|<\/option>(?=\s*(?:<option\b|<\/select>))/gi

/** Edits of a whole site, in the order in which its build makes its pages. */
const steps = {
  'wrapper elements': wrapElements,
  reordering: reverseLists,
  'another locale of dates': (html, build) => beforeBodyEnd(html, `<footer><p>${dates[build]!}</p></footer>`),
  'lazy content in another order': addLazyBlocks,
  'a cookie banner': (html, build) =>
    build === 0
      ? html
      : afterBodyStart(
          html,
          '<div role="dialog" aria-label="Cookies" style="background:#fff;color:#000;padding:1em"><p>We use cookies to count visitors.</p><button style="min-width:9em;min-height:3em">Accept all</button> <button style="min-width:9em;min-height:3em">Reject</button></div>',
        ),
  'hashed class names': (html, build) =>
    changeMarkup(html, (markup) =>
      markup.replaceAll(/<(div|a|p|li|img|input|button|section|td)(?=[\s>])([^>]*)/g, (_, tag, rest) => {
        const className = `css-${toHash(String(tag), build)}`
        const attributes = String(rest)
        return /\sclass="/.test(attributes)
          ? `<${tag}${attributes.replace(/(\sclass="[^"]*)"/, `$1 ${className}"`)}`
          : `<${tag} class="${className}"${attributes}`
      }),
    ),
  'generated ids': (html, build) => {
    let count = build * 411
    return changeMarkup(html, (markup) =>
      markup.replaceAll(
        /<(input|button|a|img|select|td|li|p)(?=[\s>])(?![^>]*\sid=)/g,
        (tag) => `${tag} id=":r${(count += 1 + build).toString(32)}:"`,
      ),
    )
  },
  'changed asset hashes': (html, build) =>
    changeMarkup(html, (markup) =>
      markup.replaceAll(
        /(\ssrc="(?!data:)[^":?#]+?)(\.(?:png|jpe?g|svg|gif))(?=["?])/gi,
        (_, path, type) => `${path}.${toHash(String(path), build)}${type}`,
      ),
    ),
  'an A/B attribute': (html, build) =>
    changeMarkup(html, (markup) =>
      markup.replaceAll(/<(body|div|li|a|img|button|input)(?=[\s>])/g, `$& data-variant="${build === 0 ? 'control' : 'b-17'}"`),
    ),
  'minified markup': (html, build) =>
    build === 0
      ? html
      : changeMarkup(html, (markup) =>
          markup
            .replaceAll(/>\s+</g, '> <')
            .replaceAll(/\s+/g, ' ')
            .replaceAll(/ ([\w-]+)="([\w-]+)"/g, ' $1=$2')
            .replaceAll(omissibleEndTags, ''),
        ),
} satisfies Record<string, Step>

/** Edits that the server makes: its address, and a parameter of all pages. */
export const serverEdits = ['another host and port', 'a renamed query parameter'] as const
export const pageEdits = Object.keys(steps) as (keyof typeof steps)[]
export type EditName = keyof typeof steps | (typeof serverEdits)[number]

/** Returns a page of the site after edits. */
export const buildPage = (html: string, edits: ReadonlySet<EditName>): string =>
  Object.entries<Step>(steps).reduce((text, [name, step]) => step(text, edits.has(name as EditName) ? 1 : 0), html)

/** Undoes the hashes in the names of pictures. */
export const toAssetPath = (path: string): string => path.replace(/\.[\da-f]{8}(?=\.\w+$)/, '')

/** Faults that make exactly one issue new on a page, each by the rule that finds it. */
export const faults: readonly { name: string; rule: string; plant: (html: string) => string }[] = [
  { name: 'a picture without text', rule: 'image-alt', plant: (html) => intoContent(html, '<p><img src="/new-photo.png"></p>') },
  { name: 'a button without a name', rule: 'button-name', plant: (html) => intoContent(html, '<button class="menu"></button>') },
  {
    name: 'a field without a label',
    rule: 'label',
    plant: (html) => intoContent(html, '<p>Newsletter <input name="newsletter"></p>'),
  },
  {
    name: 'a link without text',
    rule: 'link-name',
    plant: (html) => intoContent(html, '<p>More <a href="/new-target"></a></p>'),
  },
  {
    name: 'text of low contrast',
    rule: 'color-contrast',
    plant: (html) => intoContent(html, '<p style="color:#aaa;background:#fff;font-size:14px">Prices include tax.</p>'),
  },
  {
    name: 'a wrong ARIA value',
    rule: 'aria-valid-attr-value',
    plant: (html) => intoContent(html, '<p><button aria-expanded="maybe">Filter</button></p>'),
  },
]
/** Adds markup at the end of the main content. */
function intoContent(html: string, added: string): string {
  const section = `<section aria-label="Planted" style="background:#fff;color:#000;padding:2em">${added}</section>`
  return /<\/main>/i.test(html) ? html.replace(/<\/main>/i, (end) => section + end) : beforeBodyEnd(html, section)
}
