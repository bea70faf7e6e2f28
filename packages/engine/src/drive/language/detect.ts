import { readFileSync } from 'node:fs'

const trigramScripts = ['Latin', 'Cyrillic', 'Arabic', 'Devanagari'] as const
const asianScripts = ['Han', 'Hiragana', 'Katakana'] as const

/** Codes of two letters by the codes of the trigrams. Languages without one are not told apart from others. */
const shortCodes: ReadonlyMap<string, string> = new Map(
  (
    'spa=es eng=en por=pt ind=id fra=fr deu=de jav=jv vie=vi ita=it tur=tr pol=pl swh=sw sun=su ron=ro hau=ha hrv=hr bos=bs ' +
    'nld=nl srp=sr yor=yo uzn=uz zlm=ms ibo=ig tgl=tl hun=hu azj=az ces=cs run=rn plt=mg nya=ny kin=rw zul=zu swe=sv ' +
    'lin=ln som=so hat=ht sna=sn xho=xh afr=af fin=fi slk=sk tuk=tk dan=da nob=nb als=sq nno=nn cat=ca sot=st glg=gl lit=lt ' +
    'tsn=tn slv=sl nso=nso lvs=lv ekk=et epo=eo tgk=tg kir=ky khk=mn prs=fa ceb=ceb ilo=ilo hil=hil mad=mad min=min ' +
    'rus=ru ukr=uk bel=be bul=bg kaz=kk tat=tt mkd=mk arb=ar urd=ur pes=fa ckb=ku pbu=ps uig=ug skr=skr hin=hi mar=mr npi=ne mai=mai bho=bho mag=mag'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)
/** Languages that trigrams mix up: a text in one of them does not prove that another one is wrong. */
const similarLanguages = [
  'da nb nn no sv fo',
  'hr bs sr sh sl mk cnr',
  'id ms jv su min mad',
  'es gl ca pt ast oc an ext',
  'cs sk',
  'nl af fy nds li',
  'ru uk be bg mk sr kk tt ky tg mn',
  'hi mr ne mai bho mag sa',
  'ar fa ur ku ps skr ug',
  'az tr uz tk',
  'tl fil ceb ilo hil',
  'zu xh sn ny rw rn sw tn st nso ln',
  'de lb gsw nds bar',
  'it co sc vec nap scn fur',
  'fr oc br wa ht',
  'ga gd gv',
].map((codes) => codes.split(' '))

type Model = { code: string; ranks: ReadonlyMap<string, number> }
/** Languages by the only script that they are written in, and ranks of trigrams for scripts of several languages. */
type LanguageData = { codesByScript: Map<string, readonly string[]>; modelsByScript: Map<string, Model[]> }
let loadedData: LanguageData | undefined

function loadData(): LanguageData {
  const data: LanguageData = { codesByScript: new Map(), modelsByScript: new Map() }
  const dataUrl = new URL('../../../data/trigrams.txt', import.meta.url)
  for (const line of readFileSync(dataUrl, 'utf8').split('\n')) {
    const [script, codes, trigrams] = line.split('\t')
    if (!script || !codes || line.startsWith('#')) continue
    if (trigrams === undefined) {
      data.codesByScript.set(script, codes.split(' '))
      continue
    }
    const code = shortCodes.get(codes)
    const ranks = new Map(trigrams.split('|').map((trigram, rank) => [trigram, rank]))
    if (code) data.modelsByScript.set(script, [...(data.modelsByScript.get(script) ?? []), { code, ranks }])
  }
  return data
}
const getData = (): LanguageData => (loadedData ??= loadData())

const missingDistance = 300

/** Counts the trigrams of a text, most frequent first. */
function rankTrigrams(text: string): string[] {
  const counts = new Map<string, number>()
  const padded = ` ${text.toLowerCase()} `
  for (let index = 0; index + 3 <= padded.length; index++) {
    const trigram = padded.slice(index, index + 3)
    counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, first], [, second]) => second - first)
    .slice(0, missingDistance)
    .map(([trigram]) => trigram)
}

/** Returns the languages of a script with the distance of a text from 0 to 1, nearest first. */
function rankLanguages(script: string, text: string): { code: string; distance: number }[] {
  const trigrams = rankTrigrams(text)
  return (getData().modelsByScript.get(script) ?? [])
    .map(({ code, ranks }) => {
      const total = trigrams.reduce(
        (sum, trigram, rank) => sum + Math.min(missingDistance, Math.abs((ranks.get(trigram) ?? missingDistance + rank) - rank)),
        0,
      )
      return { code, distance: total / (trigrams.length * missingDistance) }
    })
    .toSorted((first, second) => first.distance - second.distance)
}

const countScript = (script: string, text: string): number => text.match(new RegExp(`\\p{Script=${script}}`, 'gu'))?.length ?? 0

/** Share of the letters that must be of one script: other texts mix languages. */
const minScriptShare = 0.75
/** Characters from which the language of a text can be told. */
const minCharacters = 400
/** Distances between the nearest language and the declared one that prove, or suggest, that the declared one is wrong. */
const certainGap = 0.08
const suspiciousGap = 0.04

/** The most likely languages of a text, nearest first; empty if it is too short or mixed. */
function findLanguages(text: string): { codes: readonly string[]; ranks: { code: string; distance: number }[] } | null {
  const letterCount = text.match(/\p{L}|\p{M}/gu)?.length ?? 0
  const asianCount = asianScripts.reduce((sum, script) => sum + countScript(script, text), 0)
  // A character of Chinese or Japanese stands for a syllable or a word.
  if (text.length + 2 * asianCount < minCharacters) return null
  if (asianCount >= letterCount * minScriptShare) {
    const kanaCount = countScript('Hiragana', text) + countScript('Katakana', text)
    if (kanaCount >= asianCount * 0.1) return { codes: ['ja'], ranks: [] }
    return kanaCount === 0 ? { codes: ['zh', 'yue', 'wuu', 'cmn', 'nan', 'hak', 'lzh'], ranks: [] } : null
  }
  for (const [script, codes] of getData().codesByScript)
    if (countScript(script, text) >= letterCount * minScriptShare) return { codes, ranks: [] }
  for (const script of trigramScripts)
    if (countScript(script, text) >= letterCount * minScriptShare) {
      const ranks = rankLanguages(script, text)
      return ranks[0] ? { codes: [ranks[0].code], ranks } : null
    }
  return null
}

/** Frequent words of placeholder text (“Lorem ipsum …”), which is in no language. Some are words of a language, too. */
const placeholderWords: ReadonlySet<string> = new Set(
  (
    'lorem ipsum dolor amet consectetur consectetuer adipiscing adipisicing elit aenean nulla nullam donec praesent vivamus phasellus ' +
    'vestibulum curabitur pellentesque suspendisse quisque mauris maecenas fusce sed ut ullamcorper ullamco laboris nisi aliquip ' +
    'commodo consequat duis aute irure reprehenderit voluptate velit esse cillum eu fugiat pariatur excepteur sint occaecat ' +
    'cupidatat proident culpa officia deserunt mollit laborum tempor incididunt labore et dolore magna aliqua enim minim veniam ' +
    'quis nostrud ligula massa sociis natoque penatibus magnis dis parturient nascetur ridiculus quam felis ultricies nec pretium ' +
    'sem justo vulputate eget arcu imperdiet venenatis tincidunt dapibus semper leo porttitor lacinia vel metus odio nibh nunc ' +
    'egestas fermentum tellus lectus libero tristique turpis cursus sapien mi ante orci luctus faucibus urna blandit feugiat'
  ).split(' '),
)
const maxPlaceholderShare = 0.3

/** True for a line of placeholder text. */
const isPlaceholder = (line: string): boolean => {
  const lineWords = line.toLowerCase().match(/\p{L}+/gu) ?? []
  return lineWords.filter((word) => placeholderWords.has(word)).length > lineWords.length * maxPlaceholderShare
}

const isSimilar = (first: string, second: string): boolean =>
  first === second || similarLanguages.some((group) => group.includes(first) && group.includes(second))

/** A language that a text is in instead of the declared one. */
export type OtherLanguage = { language: string; isCertain: boolean }

/** Returns the language of a text if it is not the declared one; null if it is, or if nothing can be said. */
export function findOtherLanguage(declaredLanguage: string, text: string): OtherLanguage | null {
  const declaredCode = declaredLanguage.toLowerCase().split(/[-_]/)[0]!
  const knownText = text
    .split('\n')
    .filter((line) => !isPlaceholder(line))
    .join('\n')
    .replaceAll(/[^\p{L}\p{M}\s]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (declaredCode === '' || declaredCode === 'und' || declaredCode === 'mul' || declaredCode === 'zxx') return null
  const foundLanguages = findLanguages(knownText)
  if (!foundLanguages || foundLanguages.codes.some((code) => isSimilar(code, declaredCode))) return null
  const language = foundLanguages.codes[0]!
  const [nearest] = foundLanguages.ranks
  if (!nearest) return { language, isCertain: true }
  const declaredRank = foundLanguages.ranks.find(({ code }) => isSimilar(code, declaredCode))
  const isWrittenInScript = [...getData().codesByScript.values(), ['ja', 'zh']].some((codes) => codes.includes(declaredCode))
  if (isWrittenInScript) return { language, isCertain: true }
  // A language without trigrams in this script may be any that looks like the nearest one.
  if (!declaredRank) return null
  const gap = declaredRank.distance - nearest.distance
  return gap < suspiciousGap ? null : { language, isCertain: gap >= certainGap }
}
