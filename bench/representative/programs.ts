import type { ChildProcess } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installDebian, run, startServer } from '../signed-in/application.ts'
import { mediawiki } from '../signed-in/mediawiki.ts'
import { forumData, forumSettings, forumUrls } from './forum.ts'
import type { SitePage } from './sites.ts'

/** A program from a registry with contents of its own, and the truth about its URLs. */
export type Program = {
  /** Does nothing if it is installed. */
  install: (folder: string) => Promise<void>
  start: (folder: string, port: number) => ChildProcess[] | Promise<ChildProcess[]>
  startPath: string
  /** Template and section of a page, and if it is a variant, as its URL tells. */
  answer: (url: URL) => SitePage
  common: readonly RegExp[]
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const describe = (template: string, isVariant: boolean, section = ''): SitePage => ({
  template,
  isVariant,
  section,
  title: '',
  body: '',
})

/**
 * Groups under which MediaWiki lists its special pages, by names without `Special:`. Pages of a group are one template; forms that the
 * bench looks for as common pages are templates of their own.
 */
const specialPageGroups = Object.entries({
  maintenance:
    /^(?:BrokenRedirects|DeadendPages|DoubleRedirects|LongPages|AncientPages|LonelyPages|FewestRevisions|WithoutInterwiki|Protected\w+|ShortPages|Uncategorized\w+|Unused\w+|Wanted\w+)$/,
  'lists of pages': /^(?:AllPages|PrefixIndex|Categories|LinkSearch|ListRedirects|PagesWithProp|TrackingCategories)$/,
  'users and rights':
    /^(?:ActiveUsers|AutoblockList|BlockList|ListGrants|PasswordPolicies|PasswordReset|(?:My)?Contributions|ListGroupRights|ListUsers|UserRights|EmailUser)$/,
  'changes and logs': /^(?:NewFiles|Log|NewPages|RecentChanges|RecentChangesLinked|Tags)$/,
  media: /^(?:ListFiles|ListDuplicatedFiles|MIMESearch|MediaStatistics|FileDuplicateSearch)$/,
  'data and tools': /^(?:ApiSandbox|BookSources|ExpandTemplates|Statistics|AllMessages|Version)$/,
  redirecting: /^(?:(?:Delete|Edit|Protect)Page|PageHistory|PageInfo|Diff|NewSection|PermanentLink|Purge|Random\w*|Redirect)$/,
  'high use': /^Most\w+$/,
  'page tools': /^(?:ComparePages|Export|Import|WhatLinksHere)$/,
  article: /^MyTalk$/,
})
const findSpecialGroup = (name: string): string =>
  specialPageGroups.find(([, names]) => names.test(name))?.[0] ?? `Special:${name}`

/** Article, special page or action of MediaWiki: 150 articles, most of them in five topics that the main page lists. */
const mediawikiSite: Program = {
  async install(folder) {
    await mediawiki.install(folder)
    const texts = join(folder, 'articles')
    if (existsSync(texts)) return
    mkdirSync(texts)
    const topics = ['Ships', 'Piers', 'Tides', 'Cargo', 'Crew']
    const write = (title: string, text: string) => writeFileSync(join(texts, `${title}.txt`), text)
    for (const topic of topics)
      for (const number of range(24)) {
        const links = [1, 3, 7].map((step) => `[[${topic} ${(number + step) % 24}]]`).join(', ')
        write(`${topic} ${number}`, `Article ${number} about ${topic}, as all of them know.\n\n== See also ==\n${links}`)
      }
    write(
      'Main Page',
      topics
        .map(
          (topic) =>
            `* ${range(5)
              .map((number) => `[[${topic} ${number}]]`)
              .join(' ')}`,
        )
        .join('\n'),
    )
    const names = [...topics.flatMap((topic) => range(24).map((number) => `${topic} ${number}`)), 'Main Page']
    const paths = names.map((name) => join(texts, `${name}.txt`))
    await run('php', ['maintenance/importTextFiles.php', '--user', 'boss', '--overwrite', ...paths], {
      cwd: join(folder, 'site'),
    })
    await run('php', ['maintenance/runJobs.php'], { cwd: join(folder, 'site') })
  },
  start: (folder, port) => mediawiki.start(folder, port),
  startPath: '/index.php/Main_Page',
  common: [/Special:UserLogin/, /Special:CreateAccount/, /Special:Search/, /:About/, /:Privacy_policy/],
  answer({ pathname, searchParams }) {
    if (pathname === '/api.php') return describe('api', true)
    const title = searchParams.get('title') ?? pathname.split('/').slice(2).join('/')
    const action = searchParams.get('action') ?? ''
    const namespace = /^(\w+):/.exec(title)?.[1] ?? ''
    const special = /^Special:([^/]+)/.exec(title)?.[1]
    const isCopy =
      action !== '' || ['oldid', 'diff', 'printable', 'limit', 'offset', 'days', 'feed'].some((name) => searchParams.has(name))
    const isAboutPage = /^Special:(?:WhatLinksHere|RecentChangesLinked|Log|Contributions|MovePage)\/./.test(title)
    return describe(special ? findSpecialGroup(special) : action || 'article', isCopy || isAboutPage, namespace)
  },
}

/** Branches, commits, trees and files of a repository in gitweb. */
const gitweb: Program = {
  async install(folder) {
    await installDebian(['gitweb', 'libcgi-pm-perl', 'libhtml-parser-perl'])
    if (existsSync(join(folder, 'ready'))) return
    const repository = join(folder, 'repositories/harbour.git')
    const tree = join(folder, 'tree')
    for (const path of [repository, tree]) rmSync(path, { recursive: true, force: true })
    mkdirSync(tree, { recursive: true })
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=Boss', '-c', 'user.email=boss@example.org', ...args], { cwd: tree })
    await git('init', '--quiet', '--initial-branch', 'main')
    for (const number of range(60)) {
      const part = join(tree, ['source', 'docs', 'tests'][number % 3]!)
      mkdirSync(part, { recursive: true })
      writeFileSync(join(part, `file-${number % 20}.txt`), `Line ${number}\n`.repeat((number % 7) + 3))
      await git('add', '.')
      await git('commit', '--quiet', '-m', `Change ${number} of the harbour`)
      if (number % 12 === 0) await git('tag', `v${number / 12}`)
    }
    await git('branch', 'next')
    await git('clone', '--quiet', '--bare', tree, repository)
    const scripts = join(folder, 'cgi-bin')
    mkdirSync(scripts, { recursive: true })
    rmSync(join(scripts, 'gitweb.cgi'), { force: true })
    symlinkSync('/usr/share/gitweb/gitweb.cgi', join(scripts, 'gitweb.cgi'))
    writeFileSync(join(folder, 'gitweb.conf'), `$projectroot = '${join(folder, 'repositories')}';\n`)
    writeFileSync(join(folder, 'ready'), '')
  },
  start(folder, port) {
    // Scripts run as a user without rights.
    for (const path of [folder, join(folder, 'cgi-bin')]) chmodSync(path, 0o755)
    const safety = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
    const env = { ...safety, GITWEB_CONFIG: join(folder, 'gitweb.conf') }
    return [startServer('python3', ['-m', 'http.server', '--cgi', '--bind', '127.0.0.1', String(port)], { cwd: folder, env })]
  },
  startPath: '/cgi-bin/gitweb.cgi',
  common: [],
  answer({ search }) {
    const parameters = new URLSearchParams(search.replaceAll(';', '&'))
    const action = parameters.get('a') ?? (parameters.has('p') ? 'summary' : 'projects')
    const isVariant = /_plain$|^(?:snapshot|commitdiff|blame\w*|blobdiff|history|rss|atom|opml|log|shortlog|search)$/.test(action)
    return describe(action, isVariant || parameters.has('o'), action)
  },
}

/** DokuWiki from Debian with 120 pages in six namespaces. */
const dokuwiki: Program = {
  async install(folder) {
    await installDebian(['dokuwiki', 'php-cli', 'php-xml', 'php-mbstring'])
    if (existsSync(join(folder, 'ready'))) return
    const site = join(folder, 'site')
    rmSync(site, { recursive: true, force: true })
    cpSync('/usr/share/dokuwiki', site, { recursive: true, dereference: true })
    const [data, conf] = [join(site, 'data'), join(site, 'conf')]
    for (const path of [data, conf]) rmSync(path, { recursive: true, force: true })
    cpSync('/var/lib/dokuwiki/data', data, { recursive: true, dereference: true })
    cpSync('/etc/dokuwiki', conf, { recursive: true, dereference: true })
    writeFileSync(
      join(conf, 'local.php'),
      `<?php\n$conf['title'] = 'Harbour'; $conf['useacl'] = 1; $conf['superuser'] = '@admin'; $conf['savedir'] = '${data}';\n`,
    )
    // Debian's own file reads the configuration of the system, which the list of permissions links to.
    writeFileSync(join(site, 'inc/preload.php'), `<?php\ndefine('DOKU_CONF', '${conf}/');\n`)
    rmSync(join(conf, 'acl.auth.php'), { force: true })
    writeFileSync(join(conf, 'acl.auth.php'), '* @ALL 8\n')
    for (const path of ['pages', 'attic', 'cache', 'index', 'locks', 'media', 'media_attic', 'media_meta', 'meta', 'tmp'])
      mkdirSync(join(data, path), { recursive: true })
    const namespaces = ['ships', 'piers', 'crew', 'tides', 'cargo', 'history']
    for (const namespace of namespaces) {
      mkdirSync(join(data, 'pages', namespace), { recursive: true })
      for (const number of range(20)) {
        const links = [1, 3, 7].map((step) => `[[${namespace}:page${(number + step) % 20}]]`).join(' ')
        const text = `====== ${namespace} ${number} ======\nText of page ${number} about ${namespace}. ${links}\n\n===== More =====\nSee [[:start]].\n`
        writeFileSync(join(data, 'pages', namespace, `page${number}.txt`), text)
      }
    }
    const list = namespaces.map((name) => `  * [[${name}:page0|${name}]]`).join('\n')
    writeFileSync(join(data, 'pages/start.txt'), `====== Harbour ======\n${list}\n`)
    writeFileSync(join(folder, 'ready'), '')
  },
  start: (folder, port) => [
    startServer('php', ['-S', `127.0.0.1:${port}`], { cwd: join(folder, 'site'), env: { PHP_CLI_SERVER_WORKERS: '6' } }),
  ],
  startPath: '/doku.php',
  common: [/do=login/, /do=recent/, /do=index/, /do=media/],
  answer({ pathname, searchParams }) {
    const action = searchParams.get('do') ?? ''
    const id = searchParams.get('id') ?? ''
    const [namespace] = id.includes(':') ? id.split(':') : ['']
    const isMedia = pathname.startsWith('/lib/exe/')
    const isView = action === 'login' || action === 'recent' || action === 'index' || action === 'media' || action === 'register'
    const isVariant =
      isMedia ||
      (isView ? id !== '' && id !== 'start' && action !== 'media' : action !== '') ||
      searchParams.has('rev') ||
      searchParams.has('idx')
    return describe(action || (isMedia ? 'media' : 'page'), isVariant, namespace)
  },
}

/** A forum of django-machina from PyPI: 4 boards with 60 topics each, in two categories. */
const machina: Program = {
  async install(folder) {
    const bin = join(folder, 'venv/bin')
    if (!existsSync(bin)) {
      await run('python3', ['-m', 'venv', 'venv'], { cwd: folder })
      const packages = ['django==4.2.*', 'django-machina==1.3.1', 'django-haystack==3.3.0', 'setuptools<81']
      await run(join(bin, 'pip'), ['install', '--quiet', ...packages], { cwd: folder })
    }
    if (existsSync(join(folder, 'ready'))) return
    rmSync(join(folder, 'forum.sqlite3'), { force: true })
    for (const [name, text] of Object.entries({ 'settings.py': forumSettings, 'urls.py': forumUrls, 'fill.py': forumData }))
      writeFileSync(join(folder, name), text)
    const env = { DJANGO_SETTINGS_MODULE: 'settings', PYTHONPATH: folder }
    await run(join(bin, 'django-admin'), ['migrate', '--verbosity', '0'], { cwd: folder, env })
    await run(join(bin, 'python'), ['fill.py'], { cwd: folder, env })
    writeFileSync(join(folder, 'ready'), '')
  },
  start: (folder, port) => [
    startServer(join(folder, 'venv/bin/django-admin'), ['runserver', '--noreload', `127.0.0.1:${port}`], {
      cwd: folder,
      env: { DJANGO_SETTINGS_MODULE: 'settings', PYTHONPATH: folder },
    }),
  ],
  startPath: '/',
  // No page of it links to the sign-in.
  common: [/^\/search\//, /topic\/create\//],
  answer({ pathname, searchParams }) {
    const path = pathname.replaceAll(/[\w-]+-\d+/g, '0').replaceAll(/\d+/g, '0')
    const isPrevious = searchParams.has('post') || searchParams.has('page') || searchParams.has('next')
    return describe(path, isPrevious || path.startsWith('/feeds/'), /forum\/([\w-]+)/.exec(pathname)?.[1] ?? '')
  },
}

export const programs: Readonly<Record<string, Program>> = { mediawiki: mediawikiSite, gitweb, dokuwiki, machina }
