import { cpSync, existsSync, mkdirSync, rmSync, appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Application, dumpSqlite, installDebian, leaveOut, password, run, startServer } from './application.ts'

/** Pages that the wiki links to in its frame; without a text, they answer 404. */
const emptyPages = ['About', 'General disclaimer', 'Privacy policy', 'Users']
  .map((title) => `Harbour wiki:${title}`)
  .concat('User:Boss', 'User talk:Boss', 'Talk:Main Page')

/** MediaWiki from Debian, with SQLite and 30 pages. */
export const mediawiki: Application = {
  name: 'MediaWiki',
  async install(folder) {
    await installDebian(['mediawiki', 'mediawiki-classes', 'php-cli', 'php-sqlite3', 'php-intl', 'php-mbstring', 'php-xml'])
    if (existsSync(join(folder, 'ready'))) return
    const site = join(folder, 'site')
    const database = join(folder, 'db')
    for (const path of [site, database]) rmSync(path, { recursive: true, force: true })
    cpSync('/usr/share/mediawiki', site, { recursive: true, verbatimSymlinks: true })
    for (const name of ['LocalSettings.php', 'config', 'extensions', 'images'])
      rmSync(join(site, name), { recursive: true, force: true })
    for (const path of [database, join(site, 'images'), join(site, 'extensions'), join(folder, 'cache')])
      mkdirSync(path, { recursive: true })
    const options = ['--dbtype', 'sqlite', '--dbpath', database, '--server', 'http://127.0.0.1', '--scriptpath', '']
    const account = ['--pass', password, 'Harbour wiki', 'boss']
    await run('php', ['maintenance/install.php', ...options, '--skins', 'Vector', ...account], { cwd: site })
    appendFileSync(
      join(site, 'LocalSettings.php'),
      `\nif (PHP_SAPI !== 'cli') $wgServer = 'http://' . $_SERVER['HTTP_HOST'];\n$wgCacheDirectory = '${join(folder, 'cache')}';\n`,
    )
    for (let number = 1; number <= 30; number++) {
      const text = join(folder, 'text')
      writeFileSync(text, `Text of page ${number}. See [[Harbour ${(number % 30) + 1}]].`)
      await run('sh', ['-c', `php maintenance/edit.php -u boss "Harbour ${number}" < '${text}'`], { cwd: site })
    }
    for (const title of emptyPages) {
      const text = join(folder, 'text')
      writeFileSync(text, `Text of ${title}. See [[Main Page]].`)
      await run('sh', ['-c', `php maintenance/edit.php -u boss "${title}" < '${text}'`], { cwd: site })
    }
    await run('php', ['maintenance/runJobs.php'], { cwd: site })
    writeFileSync(join(folder, 'ready'), '')
  },
  start: (folder, port) => [
    startServer('php', ['-S', `127.0.0.1:${port}`], { cwd: join(folder, 'site'), env: { PHP_CLI_SERVER_WORKERS: '6' } }),
  ],
  startPath: '/index.php/Special:SpecialPages',
  signInPath: '/index.php?title=Special:UserLogin',
  user: 'boss',
  // They answer 404: lists for a page without links, and examples in the help of special pages.
  settings: () =>
    leaveOut(
      '*Special:WhatLinksHere*',
      '*Special:RecentChangesLinked*',
      '*Special:Redirect/*',
      '*Special:Version/License*',
      '*curid=*',
    ),
  fields: { user: '#wpName1', password: '#wpPassword1', submit: '#wpLoginAttempt' },
  dump: (folder) => dumpSqlite(join(folder, 'db/my_wiki.sqlite')),
  openingWrites: [
    { table: /^user$/, row: /"user_name":"Boss"/, reason: 'last sign-in' },
    { table: /^page$/, reason: 'time of the latest rendering, which a page writes when it is shown' },
    { table: /^querycache/, reason: 'cached lists of special pages' },
    { table: /^site_stats$/, reason: 'count of active users, which their special page refreshes' },
    { table: /^(?:objectcache|l10n_cache|module_deps|job|recentchanges_cache)$/, reason: 'caches and tasks' },
    { table: /^user_properties$/, row: /"rcfilters-/, reason: 'filters that the page of recent changes saves when it is opened' },
  ],
}
