import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Application, dumpSqlite, leaveOut, password, run, startServer, takeOnly } from './application.ts'

const pages = `
from wagtail.models import Page, Site
from home.models import HomePage
root = Site.objects.get(is_default_site=True).root_page
for number in range(60):
    root.add_child(instance=HomePage(title=f'Page {number}', slug=f'page-{number}'))
`

/** Wagtail from PyPI, with SQLite and 60 pages. */
export const wagtail: Application = {
  name: 'Wagtail',
  async install(folder) {
    const bin = join(folder, 'venv/bin')
    const site = join(folder, 'mysite')
    if (!existsSync(bin)) {
      await run('python3', ['-m', 'venv', 'venv'], { cwd: folder })
      await run(join(bin, 'pip'), ['install', '--quiet', 'wagtail'], { cwd: folder })
    }
    if (existsSync(site)) return
    await run(join(bin, 'wagtail'), ['start', 'mysite'], { cwd: folder })
    await run(join(bin, 'python'), ['manage.py', 'migrate', '--verbosity', '0'], { cwd: site })
    const env = { DJANGO_SUPERUSER_PASSWORD: password }
    const account = ['createsuperuser', '--noinput', '--username', 'boss', '--email', 'boss@example.org']
    await run(join(bin, 'python'), ['manage.py', ...account], { cwd: site, env })
    writeFileSync(join(site, 'fill.py'), pages)
    await run(join(bin, 'python'), ['manage.py', 'shell', '-c', "exec(open('fill.py').read())"], { cwd: site })
  },
  start: (folder, port) => [
    startServer(join(folder, 'venv/bin/python'), ['manage.py', 'runserver', '--noreload', `127.0.0.1:${port}`], {
      cwd: join(folder, 'mysite'),
    }),
  ],
  startPath: '/admin/',
  signInPath: '/admin/login/',
  user: 'boss',
  // The pages of the site are public and look the same without a session. Bulk actions answer 404 without a selection.
  settings: () => ({ ...takeOnly('*/admin/*'), ...leaveOut('*/admin/bulk/*') }),
  fields: { user: '#id_username', password: '#id_password', submit: 'button[type="submit"]' },
  dump: (folder) => dumpSqlite(join(folder, 'mysite/db.sqlite3')),
  openingWrites: [
    { table: /^django_session$|^sqlite_sequence$/, reason: 'sessions, and counters of SQLite' },
    { table: /^auth_user$/, row: /"username":"boss"/, reason: 'last sign-in' },
    { table: /^wagtailusers_userprofile$/, reason: 'profile of a user who opens the editor for the first time' },
    { table: /^wagtailcore_pagesubscription$/, reason: 'subscription of a user who opens a page in the editor' },
  ],
}
