import type { scriptApi } from '@clearway/contract/monitor/script/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createScript,
  deleteScript,
  listScriptNames,
  type ScriptDeps,
  getScriptSettings,
  listScriptSummaries,
  updateScript,
  validateScript,
} from './service.ts'

export const scriptHandlers = (deps: ScriptDeps): Handlers<typeof scriptApi> => ({
  validateScript: ({ body }) => validateScript(deps, body.script, body.allowedScriptType),
  listScripts: ({ query }) => listScriptSummaries(deps, query),
  listScriptNames: ({ query }) => listScriptNames(deps, query),
  readScriptSettings: ({ params }) => getScriptSettings(deps, params.id),
  createScript: ({ body }, { caller }) => createScript(deps, caller!, body),
  updateScript: ({ params, body }) => updateScript(deps, params.id, body),
  deleteScript: ({ params }) => deleteScript(deps, params.id),
})
