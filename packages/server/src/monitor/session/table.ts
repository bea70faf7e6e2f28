export type SessionTables = {
  /** `owner_id` is a scan or a script. */
  secret: { owner_id: string; name: string; sealed: Buffer }
}
