// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { DriveKit } from './kit-in-page.ts'
import type { RawHit } from './text-in-page.ts'

/** Reads a page without driving it. */
export type PageReader = {
  findFileNameHits(): RawHit[]
  /** Declared language, and text without the parts in a language of their own, in at most some thousand characters. */
  readLanguage(): { declared: string; text: string }
  findTitle(): Element | null
  /** True if a readable style sheet of the page has a dark scheme. */
  hasDarkScheme(): boolean
}

/** Creates the reader of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makePageReader(kit: DriveKit): PageReader {
  const maxTextLength = 6000
  const maxSchemes = 2000
  const fileEndings = /\.(?:jpe?g|png|gif|svg|webp|avif|bmp|tiff?|ico|heic|jfif)$/i
  const generatedName = /^(?:img|dsc|dscn|dscf|pict?|photo|image|bild|foto|scan|screenshot|pxl|mvimg)[ _-]?\d\d[\w-]*$/i
  const genericName =
    /^(?:image|picture|photo|graphic|img|bild|foto|grafik|imagen|imagem|immagine|afbeelding|画像|写真)[ _-]?\d*$/i
  const getFileName = (address: string | null): string => {
    if (!address || address.startsWith('data:')) return ''
    const path = URL.parse(address, document.baseURI)?.pathname ?? ''
    try {
      return decodeURIComponent(path.split('/').at(-1) ?? '')
    } catch {
      return path.split('/').at(-1) ?? ''
    }
  }
  const normalize = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '-')
  const listAddresses = (image: Element): string[] => {
    const current = image instanceof HTMLImageElement ? image.currentSrc : ''
    const lazy = ['src', 'data-src', 'data-lazy-src', 'data-original', 'href', 'xlink:href'].map((name) =>
      kit.readAttribute(image, name),
    )
    const sets = (kit.readAttribute(image, 'srcset') ?? '').split(',').map((part) => part.trim().split(/\s+/)[0] ?? '')
    return [current, ...lazy, ...sets].filter((address) => address !== null && address !== '') as string[]
  }
  const readName = (image: Element): string => {
    const ids = (kit.readAttribute(image, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    const labels = ids
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim()
    return labels || kit.readAttribute(image, 'aria-label')?.trim() || kit.readAttribute(image, 'alt')?.trim() || ''
  }
  /** A link or a caption that is about the file itself. */
  const isAboutFile = (image: Element, names: readonly string[]): boolean => {
    const link = kit.call(image, 'closest', 'a[href], a[download]')
    return link !== null && names.includes(normalize(getFileName(kit.readAttribute(link, 'href'))))
  }
  const findFileNameHits = (): RawHit[] => {
    const hits: RawHit[] = []
    for (const image of kit.listElements('img, input[type="image" i], [role="img"], svg image, area[href]', 3000)) {
      const isShown = kit.call(image, 'checkVisibility', { visibilityProperty: true })
      if (!isShown && kit.read(image, 'localName') !== 'area') continue
      const name = readName(image)
      if (name === '' || kit.call(image, 'closest', '[aria-hidden="true"]')) continue
      const fileNames = listAddresses(image).map(getFileName).filter(Boolean)
      const normalizedNames = fileNames.map(normalize)
      const stems = normalizedNames.map((fileName) => fileName.replace(fileEndings, ''))
      // Generators of documentation write the whole address.
      const namedFile = normalize(name).split('/').at(-1)!
      const isFile = normalizedNames.includes(namedFile) && fileEndings.test(namedFile)
      const looksLikeFile = fileEndings.test(name.trim()) && !/\s/.test(name.trim())
      // A stem of several words is a description in its own right.
      const isStem = stems.includes(normalize(name)) && (/[_\d]/.test(name) || generatedName.test(name.trim()))
      const isGeneric = genericName.test(name.trim()) || generatedName.test(name.trim())
      if (!isFile && !looksLikeFile && !isStem && !isGeneric) continue
      if (isAboutFile(image, normalizedNames)) continue
      hits.push({
        rule: 'drive-image-file-name',
        verdict: isFile ? 'fail' : 'review',
        element: image,
        proof: `“${name.slice(0, 120)}”`,
      })
    }
    return hits
  }

  const skipped =
    'script, style, noscript, template, code, pre, samp, kbd, textarea, select, svg, math, nav, address, [translate="no"], [aria-hidden="true"], .notranslate'
  const readLanguage = () => {
    const declared = (
      kit.readAttribute(document.documentElement, 'lang') ??
      kit.readAttribute(document.documentElement, 'xml:lang') ??
      ''
    ).trim()
    const primary = declared.toLowerCase().split(/[-_]/)[0]!
    let text = ''
    const visit = (element: Element) => {
      if (text.length >= maxTextLength || kit.matches(element, skipped)) return
      const ownLanguage =
        element === document.documentElement ? '' : (kit.readAttribute(element, 'lang') ?? '').toLowerCase().split(/[-_]/)[0]!
      if (ownLanguage !== '' && ownLanguage !== primary) return
      if (!kit.call(element, 'checkVisibility', { visibilityProperty: true }) && getComputedStyle(element).display !== 'contents')
        return
      for (const child of kit.read(element, 'childNodes')) {
        if (child instanceof Text) text += child.data
        else if (child instanceof Element) {
          const isInline = getComputedStyle(child).display.startsWith('inline')
          if (!isInline) text += '\n'
          visit(child)
          if (!isInline) text += '\n'
        }
      }
    }
    if (document.body) visit(document.body)
    // Lines of a few words are names and menus.
    const sentences = text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line.length >= 40 || /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{8}/.test(line))
    return { declared, text: sentences.join('\n').slice(0, maxTextLength) }
  }
  const hasDarkScheme = (): boolean => {
    const isDark = (condition: string) => /prefers-color-scheme\s*:\s*dark/.test(condition)
    let ruleCount = 0
    let hasDarkColors = false
    const hasRule = (rules: CSSRuleList): boolean => {
      for (const rule of rules) {
        if (++ruleCount > 20_000) return false
        if (rule instanceof CSSMediaRule && isDark(rule.conditionText)) return true
        if (rule instanceof CSSImportRule && isDark(rule.media.mediaText)) return true
        if (rule instanceof CSSImportRule && rule.styleSheet && hasSheet(rule.styleSheet)) return true
        if (rule instanceof CSSGroupingRule ? hasRule(rule.cssRules) : hasDarkColors && rule.cssText.includes('light-dark('))
          return true
      }
      return false
    }
    const hasSheet = (sheet: CSSStyleSheet): boolean => {
      if (isDark(sheet.media.mediaText)) return true
      try {
        return hasRule(sheet.cssRules)
      } catch {
        return false
      }
    }
    const scheme = document.querySelector('meta[name="color-scheme" i]')
    // Only there, colors by `light-dark()` are dark, and reading all rules takes long.
    hasDarkColors = kit.listElements('*', maxSchemes).some((element) => getComputedStyle(element).colorScheme.includes('dark'))
    if (scheme && /dark/.test(kit.readAttribute(scheme, 'content') ?? '')) return true
    return [...document.styleSheets, ...document.adoptedStyleSheets].some(hasSheet)
  }
  return {
    findFileNameHits,
    readLanguage,
    findTitle: () => document.head?.querySelector('title') ?? document.querySelector('title'),
    hasDarkScheme,
  }
}
