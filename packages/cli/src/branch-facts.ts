import { branchRunLimits } from '@clearway/contract/monitor/run/branch/schema.ts'
import { findUrlFault } from '@clearway/contract/monitor/scan/model.ts'
import { spawnSync } from 'node:child_process'
import { type Environment, readGithubEvent } from './ci/github-event.ts'
import type { ServerSource } from './server-baseline.ts'
import { WrongArgument } from './wrong-argument.ts'

/** Branch of a result, with the commit and the build if the build system names them. */
export type BranchFacts = { branch: string; commit: string | null; buildUrl: string | null }

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
  const isLink = buildUrl !== null && !/\s/.test(buildUrl) && findUrlFault(buildUrl) === null
  return isLink && buildUrl.length <= branchRunLimits.link ? buildUrl : null
}

/** Asks git for the branch of the current folder; null outside of one, and without git. */
function readGit(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', timeout: 10_000 })
  const text = status === 0 ? stdout.trim() : ''
  return text === '' || text === 'HEAD' ? null : text
}

/** A branch, or what a build names instead of one, with its commit. */
type BuiltBranch = { name: string | null; commit: string | null }

/**
 * Name of a branch of another repository: the `main` of a fork is not the branch `main`.
 * @param owner owner or path of that repository; null if it is not known
 */
const nameForeign = (owner: string | null, branch: string) => `${owner ?? 'fork'}:${branch}`
const getOwner = (repository: string | undefined) => repository?.split('/')[0] || null

function findGithubBranch(environment: Environment): BuiltBranch {
  const { GITHUB_REPOSITORY: repository, GITHUB_REF: ref, GITHUB_SHA: sha = null } = environment
  const { pull_request: pull, workflow_run: earlierRun, issue } = readGithubEvent(environment)
  const readHead = (branch: string, headRepository: string | undefined, baseRepository: string | undefined, commit: string) => {
    const isSameRepository = headRepository !== undefined && headRepository === (baseRepository ?? repository)
    return { name: isSameRepository ? branch : nameForeign(getOwner(headRepository), branch), commit }
  }
  // The commit of the build is a merge with the target branch.
  if (pull?.head) return readHead(pull.head.ref, pull.head.repo?.full_name, pull.base?.repo?.full_name, pull.head.sha)
  if (earlierRun?.head_branch) {
    const { head_branch: branch, head_repository: head, repository: base, head_sha: commit } = earlierRun
    return readHead(branch, head?.full_name, base?.full_name, commit)
  }
  if (issue?.pull_request) return { name: `pull/${issue.number}`, commit: null }
  // Without the event, nothing tells the repository of the branch.
  if (environment.GITHUB_HEAD_REF) return { name: nameForeign(null, environment.GITHUB_HEAD_REF), commit: null }
  const name = environment.GITHUB_REF_NAME || null
  return { name: ref?.startsWith('refs/tags/') ? ref : name, commit: sha }
}

function findGitlabBranch(environment: Environment): BuiltBranch {
  const branch = environment.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME
  const commit = environment.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || environment.CI_COMMIT_SHA || null
  if (!branch)
    return {
      name: environment.CI_COMMIT_TAG ? `refs/tags/${environment.CI_COMMIT_TAG}` : (environment.CI_COMMIT_REF_NAME ?? null),
      commit,
    }
  const [sourcePath, targetPath] = [environment.CI_MERGE_REQUEST_SOURCE_PROJECT_PATH, environment.CI_MERGE_REQUEST_PROJECT_PATH]
  return { name: sourcePath && sourcePath === targetPath ? branch : nameForeign(sourcePath || null, branch), commit }
}

function findAzureBranch(environment: Environment): BuiltBranch {
  const branch = environment.SYSTEM_PULLREQUEST_SOURCEBRANCH?.replace(/^refs\/heads\//, '')
  const commit = environment.BUILD_SOURCEVERSION || null
  if (!branch) return { name: environment.BUILD_SOURCEBRANCH ?? null, commit }
  const sourceUrl = URL.parse(environment.SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI ?? '')
  const isSameRepository = environment.SYSTEM_PULLREQUEST_ISFORK?.toLowerCase() === 'false'
  return {
    name: isSameRepository ? branch : nameForeign(getOwner(sourceUrl?.pathname.slice(1)), branch),
    commit: environment.SYSTEM_PULLREQUEST_SOURCECOMMITID || commit,
  }
}

/** Jenkins and others. A build of a change from a fork names it. */
function findJenkinsBranch({ CHANGE_BRANCH: change, CHANGE_FORK: fork, BRANCH_NAME, GIT_COMMIT }: Environment): BuiltBranch {
  const changeBranch = change && (fork ? nameForeign(fork, change) : change)
  return { name: changeBranch || BRANCH_NAME || null, commit: GIT_COMMIT || null }
}

/** Returns the branch of a result: from the option, the build system, or git. @throws WrongArgument */
export function resolveBranch(branchOption: string | undefined, environment: Environment): BranchFacts {
  const builtBranch = [findGithubBranch, findGitlabBranch, findAzureBranch, findJenkinsBranch]
    .map((findBranch) => findBranch(environment))
    .find(({ name }) => name !== null)
  const branchName = branchOption?.trim() || builtBranch?.name || readGit('rev-parse', '--abbrev-ref', 'HEAD')
  if (!branchName) throw new WrongArgument('--upload needs --branch NAME: neither the build system nor git names one.')
  const commit = builtBranch ? builtBranch.commit : readGit('rev-parse', 'HEAD')
  return {
    branch: branchName.replace(/^refs\/heads\//, '').slice(0, branchRunLimits.branch),
    commit: commit?.slice(0, branchRunLimits.commit) ?? null,
    buildUrl: findBuildUrl(environment),
  }
}

/** Where a result is uploaded to. */
export type UploadTarget = { source: ServerSource; scanId: string; branchFacts: BranchFacts }
