import type { Impact, StandardId } from '../schema.ts'
import { standards } from '../schema.ts'
import { DriveLevel, openedStatePrefix } from './schema.ts'

/** Version of the driven rules, part of a run's conditions: results of different versions are not compared. */
export const driveVersion = 1

/** Reasons why a fault of a driven page matters; each has a text in every language. */
export type DriveImportance = 'focus' | 'keyboard' | 'role' | 'surprise' | 'zoom' | 'hover' | 'language' | 'title' | 'alternative'

/**
 * Part of a drive that tests a rule. `page`: reads the page as it is. `narrow`: changes the window. `walk` and `press`: press
 * keys and buttons in a browser context of their own. `site`: compares the pages of a run.
 */
export type DriveStage = 'page' | 'narrow' | 'walk' | 'press' | 'site'

export type DriveRule = {
  impact: Impact
  why: DriveImportance
  /** WCAG 2 success criteria. */
  wcag: readonly string[]
  stage: DriveStage
  /** Every hit requires a manual decision. */
  isReview: boolean
}

/** Rule, impact, importance, WCAG criteria, stage, mode. Mode: `review` or empty. */
const driveRuleRows = [
  ['drive-focus-visible', 'serious', 'focus', '2.4.7', 'walk', ''],
  ['drive-invisible-stop', 'serious', 'focus', '2.4.7 2.4.3', 'walk', ''],
  ['drive-stop-without-role', 'serious', 'role', '4.1.2', 'walk', ''],
  ['drive-focus-obscured', 'serious', 'focus', '2.4.11', 'walk', ''],
  ['drive-on-focus', 'serious', 'surprise', '3.2.1', 'walk', ''],
  ['drive-keyboard-trap', 'critical', 'keyboard', '2.1.2', 'walk', ''],
  ['drive-reflow', 'serious', 'zoom', '1.4.10', 'narrow', ''],
  ['drive-hover-content', 'moderate', 'hover', '1.4.13', 'press', 'review'],
  ['drive-mouse-only', 'critical', 'keyboard', '2.1.1', 'press', ''],
  ['drive-page-language', 'serious', 'language', '3.1.1', 'page', ''],
  ['drive-site-titles', 'moderate', 'title', '2.4.2', 'site', ''],
  ['drive-orientation', 'serious', 'zoom', '1.3.4', 'narrow', ''],
  ['drive-image-file-name', 'serious', 'alternative', '1.1.1', 'page', ''],
  ['drive-text-spacing', 'moderate', 'zoom', '1.4.12', 'narrow', 'review'],
  ['drive-zoom-text', 'moderate', 'zoom', '1.4.4', 'narrow', 'review'],
  ['drive-zoom-scale', 'moderate', 'zoom', '1.4.4', 'narrow', 'review'],
] as const

export type DriveRuleId = (typeof driveRuleRows)[number][0]

export const driveRules = Object.fromEntries(
  driveRuleRows.map(([ruleId, impact, importance, wcag, stage, ruleMode]): [DriveRuleId, DriveRule] => [
    ruleId,
    { impact, why: importance, wcag: wcag.split(' '), stage, isReview: ruleMode === 'review' },
  ]),
) as Record<DriveRuleId, DriveRule>

const driveLevels = DriveLevel.options
const driveRuleIds = Object.keys(driveRules) as DriveRuleId[]
/** Rules that compare the pages of a run: the end of the run tests them. */
export const siteRules: readonly string[] = driveRuleIds.filter((ruleId) => driveRules[ruleId].stage === 'site')

/** Code with and without each rule's fault. */
export const driveExamples: Record<DriveRuleId, readonly [wrong: string, right: string]> = {
  'drive-focus-visible': ['a:focus { outline: none }', 'a:focus-visible { outline: 3px solid #06c }'],
  'drive-invisible-stop': ['<a href="/old" style="opacity: 0">Old</a>', '<a href="/old" hidden>Old</a>'],
  'drive-stop-without-role': ['<div tabindex="0">Reserve</div>', '<button type="button">Reserve</button>'],
  'drive-focus-obscured': [
    '.bar { position: fixed; bottom: 0 }',
    '.bar { position: fixed; bottom: 0 }\nhtml { scroll-padding-bottom: 8rem }',
  ],
  'drive-on-focus': ['<select onfocus="location = value">', '<select>…</select>\n<button>Open</button>'],
  'drive-keyboard-trap': [
    "field.onkeydown = (event) => {\n  if (event.key === 'Tab') event.preventDefault()\n}",
    "field.onkeydown = (event) => {\n  if (event.key === 'Escape') next.focus()\n}",
  ],
  'drive-reflow': ['p { width: 600px }', 'p { max-width: 600px }'],
  'drive-hover-content': [
    '.help:hover .tip { display: block }',
    '<button popovertarget="tip">Help</button>\n<div id="tip" popover>…</div>',
  ],
  'drive-mouse-only': ['<div onclick="reserve()">Reserve</div>', '<button onclick="reserve()">Reserve</button>'],
  'drive-page-language': ['<html lang="en">Die Fähre fährt …', '<html lang="de">Die Fähre fährt …'],
  'drive-site-titles': ['<title>Ferries</title>', '<title>Prices - Ferries</title>'],
  'drive-orientation': [
    '@media (orientation: portrait) {\n  html { transform: rotate(90deg) }\n}',
    '@media (orientation: portrait) {\n  main { columns: 1 }\n}',
  ],
  'drive-image-file-name': ['<img src="ferry.jpg" alt="ferry.jpg">', '<img src="ferry.jpg" alt="A ferry at dawn">'],
  'drive-text-spacing': ['.card { height: 3rem; overflow: hidden }', '.card { min-height: 3rem }'],
  'drive-zoom-text': ['.banner { height: 24vw; overflow: hidden }', '.banner { min-height: 24vw }'],
  'drive-zoom-scale': ['p { font-size: 1.25vw }', 'p { font-size: calc(0.8rem + 0.4vw) }'],
}

/** Texts of the rules in one language. `tests`: actions and their failure, and results that require a manual decision. */
export type DriveTexts = {
  rules: Record<DriveRuleId, readonly [title: string, fix: string]>
  tests: Record<DriveRuleId, readonly [action: string, review: string]>
  why: Record<DriveImportance, string>
}

const levelsByCriterion: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1.3.4': 'wcag21aa',
    '1.4.4': 'wcag2aa',
    '1.4.10': 'wcag21aa',
    '1.4.12': 'wcag21aa',
    '1.4.13': 'wcag21aa',
    '2.4.7': 'wcag2aa',
    '2.4.11': 'wcag22aa',
  }),
)

/** Returns the WCAG levels of a rule's criteria as axe tags. */
const listDriveLevels = (ruleId: DriveRuleId): string[] => [
  ...new Set(driveRules[ruleId].wcag.map((criterion) => levelsByCriterion.get(criterion) ?? 'wcag2a')),
]

/** Returns the tags of an issue: group, levels and criteria. */
export const buildDriveTags = (ruleId: DriveRuleId): string[] => [
  'cat.driven',
  ...listDriveLevels(ruleId),
  ...driveRules[ruleId].wcag.map((criterion) => `wcag${criterion.replaceAll('.', '')}`),
]

export const listDriveRules = (standard: StandardId): DriveRuleId[] => {
  const standardTags: readonly string[] = standards[standard].tags
  return driveRuleIds.filter((ruleId) => listDriveLevels(ruleId).some((level) => standardTags.includes(level)))
}

/** Rules that are tested on pages that are driven in full only, although they press nothing. */
const fullRules: ReadonlySet<string> = new Set(['drive-text-spacing', 'drive-zoom-text', 'drive-zoom-scale'])

/** Returns how far a page must be driven to see a finding again: its absence on other pages proves nothing. */
export function computeDriveLevel(rule: string, states: readonly string[]): DriveLevel {
  const stage = driveRules[rule as DriveRuleId]?.stage as DriveStage | undefined
  if (stage === undefined) return states.some((state) => state.startsWith(openedStatePrefix)) ? 'full' : 'narrow'
  if (stage === 'page' || stage === 'site') return 'page'
  return stage === 'narrow' && !fullRules.has(rule) ? 'narrow' : 'full'
}

/** Returns the criteria whose rules ran on pages that were driven up to a level. */
export const listDrivenCriteria = (standard: StandardId, level: DriveLevel): string[] =>
  listDriveRules(standard)
    .filter((ruleId) => driveLevels.indexOf(computeDriveLevel(ruleId, [])) <= driveLevels.indexOf(level))
    .flatMap((ruleId) => driveRules[ruleId].wcag)

export const buildDriveHelpUrl = (ruleId: DriveRuleId): string => `/monitor/docs/driven-rules#${ruleId}`
