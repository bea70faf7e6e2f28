import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'

/** Pages of a scan that are driven: none, the first one of each template and a share of the others, or all. */
export const driveModes = ['off', 'templates', 'every'] as const
export type DriveMode = (typeof driveModes)[number]

/** How far a page was driven: `page` as it is, `narrow` also in narrower windows and dark, `full` also by keyboard and mouse. */
export const DriveLevel = z.enum(['page', 'narrow', 'full'])
export type DriveLevel = z.output<typeof DriveLevel>

/** Numbers of pages of a run by how far they were driven; `inPart` are also in one of the levels. */
export const DrivenCounts = z.object({ page: Count, narrow: Count, full: Count, inPart: Count })
export type DrivenCounts = z.output<typeof DrivenCounts>

/** Engine of a finding. `driven`: seen only while the page was driven. */
export const FindingEngine = z.enum(['axe', 'pdf', 'driven'])
export type FindingEngine = z.output<typeof FindingEngine>

/** States of a page in which axe runs again; opened ones are followed by the name of the pressed element. */
/** Name of the state of a window that is this many pixels wide. */
export const getWidthState = <Width extends number>(width: Width): `${Width} px` => `${width} px`
export const phoneWidth = 390
export const phoneState = getWidthState(phoneWidth)
export const darkState = 'dark'
export const openedStatePrefix = 'opened: '
export const anyOpenedState = 'opened'

const maxStateLength = 200
/** Filter value: a state, or `opened` for all opened ones. */
export const StateFilter = z.string().check(z.minLength(1), z.maxLength(maxStateLength))

export const DrivenPage = z.object({
  level: DriveLevel,
  version: Count,
  /** The time for driving ran out, or the page stopped responding: not everything was tested. */
  isPartial: z.boolean(),
})
export type DrivenPage = z.output<typeof DrivenPage>

/** Maximum number of stops of one page that the Tab key is pressed for. */
export const maxWalkStops = 120

export const WalkStop = z.object({
  /** Beginning of its text or label; empty if it has neither. */
  text: z.string(),
  /** Its tag, followed by the role in its code: `a`, `div button`. */
  kind: z.string(),
  /** Its box in pixels of the whole page; null if it has no size. */
  box: z.nullable(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
  /** Driven rules that it fails, and those that require a review. */
  faults: z.array(z.object({ rule: z.string(), isReview: z.boolean() })),
})
export type WalkStop = z.output<typeof WalkStop>

export const KeyboardWalk = z.object({
  /** Number of the screenshot of the page that shows the stops; null if there is none. */
  view: z.nullable(Count),
  /** In the order of the Tab key, up to the maximum. */
  stops: z.array(WalkStop),
})
export type KeyboardWalk = z.output<typeof KeyboardWalk>

/** A screenshot of a page in a state in which it has issues. */
export const StateView = z.object({
  /** As in the issues, or the width of a narrow window: `320 px`. */
  state: z.string(),
  view: Count,
})
export type StateView = z.output<typeof StateView>

/** `walk` is omitted for pages that were not driven by keyboard, `stateViews` for pages without pictures of their states. */
export const WalkedPage = z.extend(DrivenPage, {
  walk: z.optional(KeyboardWalk),
  stateViews: z.optional(z.array(StateView)),
})
export type WalkedPage = z.output<typeof WalkedPage>
