/** Schemas of all nouns of the account service, for the API description. */
export * as member from './member/schema.ts'
export * as provider from './member/provider/schema.ts'
export * as notice from './notice/schema.ts'
export * as team from './team/schema.ts'
