import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Application, installDebian, password, run, startServer, waitUntil } from './application.ts'

const config = (folder: string) => `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${folder}/db.sock'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) { define($name . '_KEY', $name . 'k'); define($name . '_SALT', $name . 's'); }
$host = $_SERVER['HTTP_HOST'] ?? 'site.test';
define('WP_HOME', 'http://' . $host); define('WP_SITEURL', 'http://' . $host);
define('WP_CONTENT_DIR', __DIR__ . '/wp-content');
define('WP_HTTP_BLOCK_EXTERNAL', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`

const fill = `<?php
define('WP_INSTALLING', true);
require 'wp-load.php';
require 'wp-admin/includes/upgrade.php';
wp_install('Harbour news', 'boss', 'boss@example.org', true, '', getenv('ADMIN_PASSWORD'));
foreach (range(1, 30) as $number) {
  $post = wp_insert_post(['post_title' => "Story $number", 'post_content' => "Text $number", 'post_status' => 'publish', 'post_author' => 1]);
  wp_insert_comment(['comment_post_ID' => $post, 'comment_content' => "Comment $number", 'comment_author' => 'Ann', 'comment_approved' => $number % 2]);
}
foreach (range(1, 10) as $number)
  wp_insert_post(['post_title' => "Leaflet $number", 'post_type' => 'page', 'post_status' => 'publish', 'post_author' => 1]);
`

const startDatabase = async (folder: string) => {
  const server = startServer(
    '/usr/sbin/mariadbd',
    [
      '--no-defaults',
      '--user=root',
      `--datadir=${folder}/db`,
      `--socket=${folder}/db.sock`,
      '--skip-networking',
      '--skip-grant-tables',
    ],
    { cwd: folder },
  )
  await waitUntil('MariaDB', async () => (await queryDatabase(folder, 'select 1')) !== '')
  return server
}
const queryDatabase = (folder: string, sql: string) =>
  run('mariadb', ['--no-defaults', `--socket=${folder}/db.sock`, '-uroot', '-e', sql], { cwd: folder })

/** WordPress from Debian, with MariaDB, 30 posts, comments that wait for approval, and 10 pages. */
export const wordpress: Application = {
  name: 'WordPress',
  async install(folder) {
    const site = join(folder, 'site')
    const database = join(folder, 'db')
    await installDebian([
      'wordpress',
      'wordpress-theme-twentytwentythree',
      'php-cli',
      'php-mysql',
      'mariadb-server-core',
      'mariadb-client-core',
    ])
    if (existsSync(join(folder, 'ready'))) return
    rmSync(site, { recursive: true, force: true })
    rmSync(database, { recursive: true, force: true })
    cpSync('/usr/share/wordpress', site, { recursive: true, verbatimSymlinks: true })
    rmSync(join(site, 'wp-config.php'))
    writeFileSync(join(site, 'wp-config.php'), config(folder))
    writeFileSync(join(site, 'fill.php'), fill)
    const options = ['--no-defaults', '--user=root', `--datadir=${database}`, '--auth-root-authentication-method=normal']
    await run('mariadb-install-db', options, { cwd: folder })
    const server = await startDatabase(folder)
    await queryDatabase(folder, 'create database wordpress character set utf8mb4')
    await run('php', ['fill.php'], { cwd: site, env: { ADMIN_PASSWORD: password } })
    rmSync(join(site, 'fill.php'))
    server.kill()
    writeFileSync(join(folder, 'ready'), '')
  },
  start: async (folder, port) => [
    await startDatabase(folder),
    startServer('php', ['-S', `127.0.0.1:${port}`], { cwd: join(folder, 'site'), env: { PHP_CLI_SERVER_WORKERS: '6' } }),
  ],
  startPath: '/wp-admin/',
  signInPath: '/wp-login.php',
  user: 'boss',
  fields: { user: '#user_login', password: '#user_pass', submit: '#wp-submit' },
  async dump(folder) {
    const args = [
      '--no-defaults',
      `--socket=${folder}/db.sock`,
      '-uroot',
      '--skip-extended-insert',
      '--no-create-info',
      'wordpress',
    ]
    const tables = new Map<string, string[]>()
    for (const line of (await run('mariadb-dump', args, { cwd: folder })).split('\n')) {
      const table = /^INSERT INTO `(\w+)` VALUES /.exec(line)?.[1]
      if (table) tables.set(table, [...(tables.get(table) ?? []), line.slice(`INSERT INTO \`${table}\` VALUES `.length)])
    }
    return tables
  },
  openingWrites: [
    { table: /^wp_usermeta$/, row: /'session_tokens'/, reason: 'sessions' },
    { table: /^wp_options$/, row: /'_(?:site_)?transient_/, reason: 'caches with a time limit' },
    { table: /^wp_options$/, row: /'(?:can_compress_scripts|category_children|theme_mods_\w+)'/, reason: 'caches' },
    {
      table: /^wp_options$/,
      row: /'(?:cron|recovery_keys|https_detection_errors|finished_updating_comment_type)'/,
      reason: 'tasks that WordPress starts at the next visit, whoever visits',
    },
    { table: /^wp_postmeta$/, row: /'_(?:pingme|encloseme)'/, reason: 'tasks that WordPress starts at the next visit' },
    { table: /^wp_options$/, row: /'recently_edited'/, reason: 'file that the editor of themes shows' },
    { table: /^wp_postmeta$/, row: /'_edit_lock'/, reason: 'a user has the editor open' },
    {
      table: /^wp_(?:posts|terms|term_taxonomy|term_relationships)$/,
      row: /'wp-global-styles-\w+'|'wp_theme'|'twentytwentythree'|^\(\d+,2,0\);$/,
      reason: 'empty styles of a theme, which the site editor creates when it is opened',
    },
    {
      table: /^wp_usermeta$/,
      row: /'wp_dashboard_quick_press_last_post_id'/,
      reason: 'number of the automatic draft of the dashboard',
    },
    { table: /^wp_usermeta$/, row: /'wp_persisted_preferences'/, reason: 'preferences that an editor saves when it is opened' },
    { table: /^wp_posts$/, row: /'auto-draft'/, reason: 'automatic draft of an editor for a new post' },
    {
      table: /^wp_(?:postmeta|options)$/,
      row: /'_wp_suggested_(?:privacy_policy_content|policy_text_has_changed)'/,
      reason: 'suggestions for a privacy policy, which its page collects',
    },
  ],
}
