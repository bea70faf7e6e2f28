import * as z from 'zod/mini'

/** Opaque ids: UUIDv7 in the database, branded so that ids of different nouns cannot be confused. */
const createIdSchema = <const B extends string>() => z.string().check(z.uuid()).brand<B>()

export const ScanId = createIdSchema<'ScanId'>()
export type ScanId = z.output<typeof ScanId>
export const RunId = createIdSchema<'RunId'>()
export type RunId = z.output<typeof RunId>
export const PageId = createIdSchema<'PageId'>()
export type PageId = z.output<typeof PageId>
export const IssueId = createIdSchema<'IssueId'>()
export type IssueId = z.output<typeof IssueId>
export const UserId = z.string().brand<'UserId'>()
/** The `sub` of the identity provider: any string. */
export type UserId = z.output<typeof UserId>
export const GroupId = createIdSchema<'GroupId'>()
export type GroupId = z.output<typeof GroupId>
export const PresetId = createIdSchema<'PresetId'>()
export type PresetId = z.output<typeof PresetId>
export const ScriptId = createIdSchema<'ScriptId'>()
export type ScriptId = z.output<typeof ScriptId>
export const ViewId = createIdSchema<'ViewId'>()
export type ViewId = z.output<typeof ViewId>
export const TeamId = z.string().check(z.minLength(1), z.maxLength(200)).brand<'TeamId'>()
/** As created by the account service: any string. */
export type TeamId = z.output<typeof TeamId>
