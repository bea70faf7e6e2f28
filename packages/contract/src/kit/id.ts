import * as z from 'zod/mini'

/** Opaque ids: UUIDv7 in the database, branded here so that a scan's id is never taken for a run's. */
const id = <const B extends string>() => z.string().check(z.uuid()).brand<B>()

export const ScanId = id<'ScanId'>()
export type ScanId = z.output<typeof ScanId>
export const RunId = id<'RunId'>()
export type RunId = z.output<typeof RunId>
export const PageId = id<'PageId'>()
export type PageId = z.output<typeof PageId>
export const IssueId = id<'IssueId'>()
export type IssueId = z.output<typeof IssueId>
export const UserId = z.string().brand<'UserId'>()
/** The `sub` of the identity provider: any string. */
export type UserId = z.output<typeof UserId>
export const GroupId = id<'GroupId'>()
export type GroupId = z.output<typeof GroupId>
export const PresetId = id<'PresetId'>()
export type PresetId = z.output<typeof PresetId>
export const ScriptId = id<'ScriptId'>()
export type ScriptId = z.output<typeof ScriptId>
export const ViewId = id<'ViewId'>()
export type ViewId = z.output<typeof ViewId>
export const TeamId = z.string().check(z.minLength(1), z.maxLength(200)).brand<'TeamId'>()
/** As the account service makes them: any string. */
export type TeamId = z.output<typeof TeamId>
