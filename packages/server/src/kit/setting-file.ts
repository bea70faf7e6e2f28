import { readFileSync } from 'node:fs'

type Environment = Readonly<Record<string, string | undefined>>

const fileReasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOENT: 'it does not exist',
    EACCES: 'this program may not read it',
    EPERM: 'this program may not read it',
    EISDIR: 'it is a folder',
    ENOTDIR: 'it is not within a folder',
  }),
)

/** Name of the variable with the path of a file that contains a setting. */
export const getFileVariable = (settingName: string): string => `${settingName}_FILE`

/**
 * Takes settings from the files that `NAME_FILE` names, as orchestrators provide secrets, without white space around the value.
 * @returns the environment with the values instead of the paths, or the problem of the first unusable file
 */
export function readSettingFiles(
  environment: Environment,
  settingNames: readonly string[],
): { environment: Environment } | { problem: string } {
  const resolvedEnvironment: Record<string, string | undefined> = { ...environment }
  for (const settingName of settingNames) {
    const fileVariable = getFileVariable(settingName)
    const path = environment[fileVariable]?.trim() ?? ''
    delete resolvedEnvironment[fileVariable]
    if (path === '') continue
    if (environment[settingName]?.trim())
      return { problem: `${settingName} and ${fileVariable} are both set. Remove one of them.` }
    try {
      resolvedEnvironment[settingName] = readFileSync(path, 'utf8').trim()
    } catch (error) {
      const errorCode = String((error as NodeJS.ErrnoException).code)
      return { problem: `${fileVariable} names ${path}, which cannot be read: ${fileReasons.get(errorCode) ?? errorCode}.` }
    }
    if (resolvedEnvironment[settingName] === '') return { problem: `${fileVariable} names ${path}, which is empty.` }
  }
  return { environment: resolvedEnvironment }
}
