import { branchRunLimits } from '@clearway/contract/monitor/run/branch/schema.ts'
import { spawnSync } from 'node:child_process'
import type { ServerSource } from './server-baseline.ts'
import { WrongArgument } from './wrong-argument.ts'

type Environment = Readonly<Record<string, string | undefined>>
/** Branch of a result, with the commit and the build if the build system names them. */
export type BranchFacts = { branch: string; commit: string | null; buildUrl: string | null }

/** Variables of GitHub, GitLab, Azure Pipelines, Jenkins and others, first those of pull requests. */
const branchVariables = [
  'GITHUB_HEAD_REF',
  'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
  'SYSTEM_PULLREQUEST_SOURCEBRANCH',
  'CHANGE_BRANCH',
  'GITHUB_REF_NAME',
  'CI_COMMIT_REF_NAME',
  'BUILD_SOURCEBRANCH',
  'BRANCH_NAME',
]
const commitVariables = ['CI_COMMIT_SHA', 'GITHUB_SHA', 'BUILD_SOURCEVERSION', 'GIT_COMMIT']

const findFirst = (environment: Environment, names: readonly string[]): string | null =>
  names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== '') ?? null

function findBuildUrl(environment: Environment): string | null {
  const { GITHUB_SERVER_URL: github, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: githubRun } = environment
  const { SYSTEM_COLLECTIONURI: azure, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: azureBuild } = environment
  const buildUrl =
    github && repository && githubRun
      ? `${github}/${repository}/actions/runs/${githubRun}`
      : azure && project && azureBuild
        ? `${azure}${encodeURIComponent(project)}/_build/results?buildId=${azureBuild}`
        : findFirst(environment, ['CI_JOB_URL', 'BUILD_URL'])
  return buildUrl !== null && /^https?:\/\/\S+$/i.test(buildUrl) && buildUrl.length <= branchRunLimits.link ? buildUrl : null
}

/** Asks git for the branch of the current folder; null outside of one, and without git. */
function readGit(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', timeout: 10_000 })
  const text = status === 0 ? stdout.trim() : ''
  return text === '' || text === 'HEAD' ? null : text
}

/** Returns the branch of a result: of the option, the build system, or git. @throws WrongArgument */
export function resolveBranch(named: string | undefined, environment: Environment): BranchFacts {
  const branchName = named?.trim() || findFirst(environment, branchVariables) || readGit('rev-parse', '--abbrev-ref', 'HEAD')
  if (!branchName) throw new WrongArgument('--upload needs --branch NAME: neither the build system nor git names one.')
  const commit = findFirst(environment, commitVariables) ?? readGit('rev-parse', 'HEAD')
  return {
    branch: branchName.replace(/^refs\/heads\//, '').slice(0, branchRunLimits.branch),
    commit: commit?.slice(0, branchRunLimits.commit) ?? null,
    buildUrl: findBuildUrl(environment),
  }
}

/** Where a result is uploaded to. */
export type UploadTarget = { source: ServerSource; scanId: string; branchFacts: BranchFacts }
