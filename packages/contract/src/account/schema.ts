/** The schemas of each noun of the account service and of its parts, for the description of its calls: a line each. */
export * as member from './member/schema.ts'
export * as provider from './member/provider/schema.ts'
export * as notice from './notice/schema.ts'
export * as team from './team/schema.ts'
