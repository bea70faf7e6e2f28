/** Driven pages: how far a page was driven, and for a finding how far a page must be to see it again, and in which states. */
export const drivenColumns: readonly string[] = [
  `alter table page add column driven jsonb`,
  `alter table finding add column drive_level smallint, add column states text[]`,
]

/** Existing scans are offered to drive pages; new ones have a choice in their form. */
export const drivingOffer: readonly string[] = [
  `alter table scan add column offers_driving boolean not null default true`,
  `alter table scan alter column offers_driving set default false`,
]
