import * as z from 'zod/mini'

/** Opaque ids: UUIDv7 in the database, branded here so that a scan's id cannot stand where a run's is wanted. */
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
