import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../signed-in/application.ts'

/** Growth of a program by a twentieth of its contents, as its editors would: also what lists the new ones changes. */
export type Growth = {
  /** Files and folders with the contents of the program, relative to its folder. */
  contents: readonly string[]
  grow: (folder: string) => Promise<void>
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Restores the contents of a program as they were installed: an earlier measurement let them grow. */
export function restoreContents(folder: string, { contents }: Growth): void {
  const [saved, unfinished] = [join(folder, 'saved'), join(folder, 'unfinished')]
  const copy = (source: string, target: string) => {
    for (const path of contents) {
      rmSync(join(target, path), { recursive: true, force: true })
      mkdirSync(dirname(join(target, path)), { recursive: true })
      cpSync(join(source, path), join(target, path), { recursive: true, preserveTimestamps: true })
    }
  }
  if (existsSync(saved)) return copy(saved, folder)
  copy(folder, unfinished)
  renameSync(unfinished, saved)
}

const identity = ['-c', 'user.name=Boss', '-c', 'user.email=boss@example.org']
const commit = async (tree: string, path: string, text: string, message: string): Promise<void> => {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
  await run('git', ['add', '.'], { cwd: tree })
  await run('git', [...identity, 'commit', '--quiet', '-m', message], { cwd: tree })
}

/** Three commits on 60, with a new file and a tag, and a second repository. */
const gitweb: Growth = {
  contents: ['repositories', 'tree'],
  async grow(folder) {
    const tree = join(folder, 'tree')
    await commit(tree, 'docs/file-0.txt', 'A new line\n', 'Change 60 of the harbour')
    await commit(tree, 'source/file-60.txt', 'A new file\n', 'Change 61 of the harbour')
    await commit(tree, 'tests/file-2.txt', 'A new test\n', 'Change 62 of the harbour')
    await run('git', ['tag', 'v5'], { cwd: tree })
    await run('git', ['push', '--quiet', '--tags', join(folder, 'repositories/harbour.git'), 'main'], { cwd: tree })
    const pier = join(folder, 'tree/.git/pier')
    await run('git', ['init', '--quiet', '--initial-branch', 'main', pier], { cwd: folder })
    await commit(pier, 'README', 'A pier\n', 'Start of the pier')
    await run('git', ['clone', '--quiet', '--bare', pier, join(folder, 'repositories/pier.git')], { cwd: folder })
  },
}

/** Six pages on 120, in a namespace that exists and a new one, linked from the start page and from pages of the namespace. */
const dokuwiki: Growth = {
  contents: ['site/data'],
  async grow(folder) {
    const site = join(folder, 'site')
    const save = async (id: string, text: string) => {
      writeFileSync(join(folder, 'text'), text)
      // A visitor who opened the form to edit a page has locked it.
      await run('php', ['bin/dwpage.php', '-f', '-u', 'boss', 'commit', '-m', 'growth', join(folder, 'text'), id], { cwd: site })
    }
    const append = (id: string, text: string) =>
      save(id, readFileSync(join(site, 'data/pages', `${id.replaceAll(':', '/')}.txt`), 'utf8') + text)
    for (const number of range(4))
      await save(`ships:new${number}`, `====== New ship ${number} ======\nText of new ship ${number}.\n`)
    for (const number of range(2)) await save(`storms:page${number}`, `====== Storm ${number} ======\nText of storm ${number}.\n`)
    await append(
      'ships:page0',
      range(4)
        .map((number) => `[[ships:new${number}]]`)
        .join(' '),
    )
    await append('start', '  * [[storms:page0|storms]]\n')
    await append('storms:page0', '[[storms:page1]]')
  },
}

const forumGrowth = `
import django
django.setup()
from django.contrib.auth.models import User
from machina.core.db.models import get_model
Forum, Topic, Post = get_model('forum', 'Forum'), get_model('forum_conversation', 'Topic'), get_model('forum_conversation', 'Post')
users = list(User.objects.order_by('id').exclude(username='AnonymousUser'))
boards = list(Forum.objects.filter(type=Forum.FORUM_POST).order_by('id'))
topics = list(Topic.objects.order_by('id'))
for number in range(12):
    topic = Topic.objects.create(forum=boards[number % 4], poster=users[number % len(users)], subject=f'News {number} of the harbor', type=Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED, approved=True)
    Post.objects.create(topic=topic, poster=topic.poster, subject=topic.subject, content=f'News {number}', approved=True)
for number in range(30):
    topic = topics[number * 7 % len(topics)]
    Post.objects.create(topic=topic, poster=users[number % len(users)], subject=topic.subject, content=f'Reply {number} to an old question', approved=True)
`

/** Twelve topics on 240, in all boards, and thirty replies to old ones on 600. */
const machina: Growth = {
  contents: ['forum.sqlite3'],
  async grow(folder) {
    writeFileSync(join(folder, 'grow.py'), forumGrowth)
    const env = { DJANGO_SETTINGS_MODULE: 'settings', PYTHONPATH: folder }
    await run(join(folder, 'venv/bin/python'), ['grow.py'], { cwd: folder, env })
  },
}

/** Eight articles on 150, six of them in a topic that exists, linked from the main page and from its articles, and edits of four. */
const mediawiki: Growth = {
  contents: ['db'],
  async grow(folder) {
    const site = join(folder, 'site')
    const save = async (title: string, text: string) => {
      writeFileSync(join(folder, 'text'), text)
      await run('sh', ['-c', `php maintenance/edit.php -u boss -s growth "${title}" < '${join(folder, 'text')}'`], { cwd: site })
    }
    const append = async (title: string, text: string) =>
      save(title, (await run('php', ['maintenance/getText.php', title], { cwd: site })) + text)
    for (const number of range(6))
      await save(`Ships ${number + 24}`, `Article ${number + 24} about Ships. See [[Ships ${number}]].`)
    for (const number of range(2)) await save(`Storms ${number}`, `Article ${number} about Storms. See [[Storms ${1 - number}]].`)
    for (const number of range(3)) await append(`Ships ${number}`, `\n[[Ships ${number + 24}]], [[Ships ${number + 27}]]`)
    await append('Main Page', '\n* [[Storms 0]]')
    await run('php', ['maintenance/runJobs.php'], { cwd: site })
  },
}

export const growths: Readonly<Record<string, Growth>> = { mediawiki, gitweb, dokuwiki, machina }
