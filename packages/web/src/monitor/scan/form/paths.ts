import type { ScanForm } from './values.ts'

type Found = (match: RegExpExecArray, form: ScanForm) => string

/** Where a path into the settings is in the form; the first that fits. */
const places: readonly [RegExp, Found | string][] = [
  [/^(include|exclude)Rules\.(\d+)/, ([, means, row]) => `${means}Rules.${row}.pattern`],
  [/^commonComponents\.templateUrls/, 'templateUrls'],
  [/^commonComponents\.components\.(\d+)\.selectors/, ([, row]) => `components.${row}.selectors`],
  [/^commonComponents\.components\.(\d+)/, ([, row]) => `components.${row}.name`],
  [/^commonComponents\.components/, 'components'],
  [/^commonComponents/, 'templateUrls'],
  [/^scripts\.own\.(\d+)\.(name|type)/, ([, row, field]) => `ownScripts.${row}.${field}`],
  [/^scripts\.own\.(\d+)/, ([, row]) => `ownScripts.${row}.text`],
  [
    /^scripts\.shared\.(\d+)/,
    ([, row], form) => (Number(row) < form.sharedTasks.length ? 'sharedTasks' : 'sharedSession'),
  ],
  [/^scripts\.shared/, 'sharedTasks'],
  [/^scripts\.variables\.(\d+)\.(name|value)/, ([, row, field]) => `variables.${row}.${field}`],
  [/^scripts/, 'sharedTasks'],
  [/^session\.mark\.means/, 'markMeans'],
  [/^session\.mark\.kind/, 'markKind'],
  [/^session\.mark/, 'markValue'],
  [/^session\.connection\.keystoreName/, 'keystore'],
  [/^session\.connection\.(\w+)/, ([, field]) => String(field)],
  [/^session/, 'authType'],
  [/^schedule\.timeoutMs/, 'timeoutHours'],
  [/^schedule\.day\.kind/, 'dayKind'],
  [/^schedule\.day\.week$/, 'dayWeek'],
  [/^schedule\.day\.weekday/, 'dayWeekday'],
  [/^schedule\.day/, 'dayNumber'],
  [/^schedule\.end\.kind/, 'endKind'],
  [/^schedule\.end\.date/, 'endDate'],
  [/^schedule\.end/, 'endRuns'],
  [/^schedule\.(\w+)/, ([, field]) => String(field)],
  [/^notification\.specificUsers/, 'specificUsers'],
  [/^notification\.(\w+)/, ([, field]) => String(field)],
  [/^access\.groups/, 'groups'],
  [/^access/, 'teams'],
  [/^sources\.urls/, 'listedUrls'],
  [/^sources\.(\w+)/, ([, field]) => String(field)],
  [/^advanced\.extraHeaders\.(\d+)\.(name|value)/, ([, row, field]) => `extraHeaders.${row}.${field}`],
  [/^advanced\.extraHeaders/, 'extraHeaders.0.name'],
  [/^advanced\.keywordRules\.(\w+)/, ([, field]) => String(field)],
  [/^advanced\.keywordRules/, 'mustHaveAll'],
  // No type at all is shown at the first of the two boxes.
  [/^advanced\.mimeTypes/, 'testPages'],
  [/^(?:advanced|ruleSet)\.(\w+)/, ([, field]) => String(field)],
  // A part as a whole is shown where it begins.
  [/^ruleSet/, 'standard'],
  [/^sources/, 'followLinks'],
  [/^schedule/, 'frequency'],
  [/^notification/, 'events'],
  [/^advanced/, 'preScanWaitMs'],
  [/^(\w+)/, ([, field]) => String(field)],
]

/** The field that a path into the settings belongs to; null for one without a field. */
export function fieldOf(path: string, form: ScanForm): string | null {
  const inner = path.replace(/^settings\./, '')
  for (const [pattern, found] of places) {
    const match = pattern.exec(inner)
    if (!match) continue
    const field = typeof found === 'string' ? found : found(match, form)
    return (field.split('.')[0] ?? '') in form ? field : null
  }
  return null
}
