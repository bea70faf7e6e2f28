/** A step of a recording that has no counterpart, from 1, with its type. */
export type SkippedStep = { step: number; type: string }
export type ImportedRecording =
  | {
      ok: true
      /** A script as indented JSON. */
      text: string
      skipped: SkippedStep[]
    }
  | { ok: false; expected: string }

type Step = Readonly<Record<string, unknown>>
type Page = { name: string; url: string; actions: string[] }

const isRecord = (value: unknown): value is Step =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (step: Step, name: string): string | null =>
  typeof step[name] === 'string' ? step[name] : null

/** Recordings offer several selectors a step, each a chain through shadow roots; CSS is taken first, then XPath. */
function selectorOf(step: Step): string | null {
  const chains = (Array.isArray(step.selectors) ? step.selectors : [])
    .map((chain: unknown) => (typeof chain === 'string' ? [chain] : chain))
    .filter(
      (chain): chain is string[] => Array.isArray(chain) && chain.every((part) => typeof part === 'string'),
    )
  const css = chains.find((chain) => chain.every((part) => !/^(aria|text|xpath)\//.test(part)))
  // CSS of the script language looks through open shadow roots, so the links of a chain are descendants.
  if (css && css.length > 0) return css.map((part) => part.replace(/^(pierce|css)\//, '')).join(' ')
  const xpath = chains.find((chain) => chain.length === 1 && chain[0]!.startsWith('xpath/'))
  return xpath ? `xpath=${xpath[0]!.slice(6)}` : null
}

function targetOf(step: Step): string | null {
  const selector = selectorOf(step)
  if (selector === null) return null
  const frames = (Array.isArray(step.frame) ? step.frame : []).filter((n) => Number.isInteger(n))
  if (frames.length === 0) return `"${selector.replaceAll('"', '\\"')}"`
  const path = frames.map((n) => `xpath=(//iframe | //frame)[${Number(n) + 1}]`)
  return JSON.stringify([...path, selector])
}

const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`
const onTarget = (write: (target: string, step: Step) => string[] | null) => (step: Step) => {
  const target = targetOf(step)
  return target === null ? null : write(target, step)
}

/** What each type of step becomes; null when it cannot be said. */
const writers: Readonly<Record<string, (step: Step) => string[] | null>> = {
  setViewport: () => [],
  close: () => [],
  keyUp: () => [],
  click: onTarget((target) => [`click element ${target}`]),
  doubleClick: onTarget((target) => [`click element ${target}`, `click element ${target}`]),
  change: onTarget((target, step) => {
    const value = textIn(step, 'value')
    return value === null ? null : [`type ${quoted(value)} into element ${target}`]
  }),
  waitForElement: onTarget((target) => [`wait for element ${target} to be found`]),
  keyDown: (step) => {
    const key = textIn(step, 'key')
    return key === null ? null : [`press ${quoted(key)} on ":focus"`]
  },
}

/**
 * Turns a recording of Chrome DevTools' Recorder (JSON) into a script: each navigation begins a page. For a task, what the
 * last page shows at its end is analysed. Steps without a counterpart (scrolling, hovering, custom steps) are
 * named, not guessed.
 */
export function importRecording(text: string, type: 'TASK' | 'SESSION'): ImportedRecording {
  const wrong: ImportedRecording = { ok: false, expected: 'a recording as JSON, with title and steps' }
  let recording: unknown
  try {
    recording = JSON.parse(text)
  } catch {
    return wrong
  }
  if (!isRecord(recording) || !Array.isArray(recording.steps)) return wrong
  const title = textIn(recording, 'title') || 'Recording'
  const pages: Page[] = []
  const skipped: SkippedStep[] = []
  for (const [index, step] of recording.steps.entries()) {
    const kind = isRecord(step) ? (textIn(step, 'type') ?? 'unknown') : 'unknown'
    const url = isRecord(step) && kind === 'navigate' ? textIn(step, 'url') : null
    if (url !== null) pages.push({ name: `Page ${pages.length + 1}`, url, actions: [] })
    else {
      const write = Object.hasOwn(writers, kind) ? writers[kind] : undefined
      const actions = write && isRecord(step) ? write(step) : null
      const page = pages.at(-1)
      if (actions && (page || actions.length === 0)) page?.actions.push(...actions)
      else skipped.push({ step: index + 1, type: kind })
    }
  }
  if (pages.length === 0) return { ok: false, expected: 'a step that navigates to a URL' }
  const last = pages.at(-1)!
  if (type === 'TASK' && last.actions.length > 0) last.actions.push('analyze page')
  const pageList = pages.map(({ actions, ...page }) => (actions.length > 0 ? { ...page, actions } : page))
  const script = { projects: [{ name: title, id: 'recording', pageList }] }
  return { ok: true, text: `${JSON.stringify(script, null, 2)}\n`, skipped }
}
