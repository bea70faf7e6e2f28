import type { scriptApi } from '@clearway/contract/monitor/script/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createScript,
  deleteScript,
  namesFor,
  type ScriptDeps,
  scriptSettings,
  scriptsFor,
  updateScript,
  validateScript,
} from './service.ts'

/** Scripts over HTTP. */
export const scriptHandlers = (deps: ScriptDeps): Handlers<typeof scriptApi> => ({
  validateScript: ({ body }) => validateScript(body.script, body.allowedScriptType),
  listScripts: ({ query }) => scriptsFor(deps, query),
  listScriptNames: ({ query }) => namesFor(deps, query),
  readScriptSettings: ({ params }) => scriptSettings(deps, params.id),
  createScript: ({ body }, { caller }) => createScript(deps, caller!, body),
  updateScript: ({ params, body }) => updateScript(deps, params.id, body),
  deleteScript: ({ params }) => deleteScript(deps, params.id),
})
