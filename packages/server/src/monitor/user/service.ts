import type { Caller } from '../../kit/http/answer.ts'
import { type AccessDeps, permissionsOf } from '../access/service.ts'

/** What the caller may do beyond single scans. */
export const permissionsFor = (deps: AccessDeps, caller: Caller) => permissionsOf(deps, caller)
