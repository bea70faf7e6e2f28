import { msg } from '@lingui/core/macro'
import type { DocsPage } from './part.ts'

/** Help for administrators and for personal settings. */
export const adminPages = {
  'scan-groups': {
    title: msg`Scan groups`,
    parts: [
      {
        kind: 'steps',
        title: msg`Create a scan group`,
        items: [
          msg`Choose “New scan group”, name it, and choose the people who manage it.`,
          msg`Add scans, then teams with a role. The role applies to every scan of the group, now and later.`,
          msg`Deleting a group keeps its scans, but ends the access that it gave.`,
        ],
      },
    ],
  },
  account: {
    title: msg`My account`,
    parts: [
      {
        kind: 'steps',
        title: msg`Keep your account safe`,
        items: [
          msg`Set up two-factor sign-in: scan the picture with an authenticator app, and keep the recovery codes in a safe place.`,
          msg`Add a passkey to sign in with your fingerprint, face or screen lock, without a password.`,
          msg`Check your sessions now and then. If you do not recognize one, sign it out and change your password.`,
        ],
      },
    ],
  },
  people: {
    title: msg`People and teams`,
    parts: [
      {
        kind: 'steps',
        title: msg`Invite a person`,
        items: [
          msg`Choose “Invite a person”, enter the email and the role. The link in the email works once, for seven days; without a mail server you copy it and hand it over.`,
          msg`Put people into teams, and give the teams a role on scans under Team access.`,
          msg`Many at once: import a CSV file with the columns email, first name, last name, role.`,
        ],
      },
      {
        kind: 'steps',
        title: msg`When a person leaves`,
        items: [
          msg`Deactivate: sessions, API keys and email notifications end at once. What they did is kept, and they can be reactivated.`,
          msg`Delete: the same, but permanently. Comments and history show “Former member”.`,
          msg`Lost the phone and the recovery codes? “Remove second factor” signs the person out; the password alone is then enough until another factor is set up.`,
          msg`Deleting a team ends the access that it gave; its members and the scans are kept.`,
        ],
      },
    ],
  },
  'team-access': {
    title: msg`Team access`,
    parts: [
      {
        kind: 'steps',
        title: msg`Give a team access`,
        items: [
          msg`Choose the team, or several; then scans or scan groups and the role; then look at what changes before you save.`,
        ],
      },
      {
        kind: 'steps',
        title: msg`Import many roles by a file`,
        items: [
          msg`Write a CSV file with the columns team, scan, scan group, role. Each line names a scan or a scan group, not both.`,
          msg`The role is Scan Viewer, Scan Member or Scan Admin, in English.`,
          msg`When a line is wrong nothing is saved: correct the lines that are listed, and choose the file again.`,
        ],
      },
    ],
  },
  presets: {
    title: msg`Presets`,
    parts: [
      {
        kind: 'steps',
        title: msg`Share settings by a preset`,
        items: [
          msg`Choose “New preset”, and set only what all its scans have in common. Each scan decides the rest.`,
          msg`Allow scan admins to override what need not be the same everywhere.`,
          msg`To assign it, select scans in the list, or open the settings of a scan. Scans that already have a preset keep it.`,
        ],
      },
    ],
  },
  scripts: {
    title: msg`Scripts`,
    parts: [
      {
        kind: 'steps',
        title: msg`Write a script`,
        items: [
          msg`Choose the type. A user flow walks through pages and tests states on the way; a sign-in script opens the session and tests nothing.`,
          msg`Write JSON or YAML with one project: its pages, each with a name, a URL and actions. Or upload a file, or import a recording of Chrome's Recorder.`,
          msg`Write secrets as variables, such as <PASSWORD>, and give their values: they are stored encrypted and never shown again.`,
          msg`Try it: each step is shown with its picture. A failing step says what was expected.`,
        ],
      },
      {
        kind: 'list',
        title: msg`YAML's own traps`,
        items: [msg`Put an action in single quotes when it contains “: ” or “ #”, and write a single quote inside it twice.`],
      },
    ],
  },
  'permissions-settings': {
    title: msg`Permissions`,
    parts: [
      {
        kind: 'list',
        title: msg`How it works`,
        items: [
          msg`Administrators may always create scans, and so may people who have no role anywhere yet.`,
          msg`The two checkboxes set this for scan members and scan viewers. If a person has several roles, the strictest counts.`,
          msg`The person who creates a scan becomes its scan admin.`,
        ],
      },
    ],
  },
  retention: {
    title: msg`Retention`,
    parts: [
      {
        kind: 'list',
        title: msg`How it works`,
        items: [
          msg`Days are counted from the end of a run; 0 keeps the data forever. There are three separate steps: contents, then pages and issues, then the whole run.`,
          msg`The scores and counts of an archived run are kept, and so is the trend.`,
          msg`The newest runs of each scan stay, however old they are.`,
        ],
      },
    ],
  },
  quotas: {
    title: msg`Quotas`,
    parts: [
      {
        kind: 'list',
        title: msg`How it works`,
        items: [
          msg`A person who reaches a quota is told which one and what to do; nothing that exists is lost.`,
          msg`Quotas apply to everyone, administrators included. Scheduled runs do not count.`,
          msg`How many calls a minute a person or a network may make is set on the server: CLEARWAY_RATE_PERSON and CLEARWAY_RATE_NETWORK.`,
        ],
      },
    ],
  },
  'system-health': {
    title: msg`System health`,
    parts: [
      {
        kind: 'list',
        title: msg`When something is wrong`,
        items: [
          msg`Runs are waiting, but none starts: check that a worker is running and that a browser can be started.`,
          msg`The disk is filling up: keep contents for a shorter time.`,
          msg`Scheduled runs do not start: check that the scheduler is running and that the server's clock is right.`,
        ],
      },
    ],
  },
  'audit-log': {
    title: msg`Audit log`,
    parts: [
      {
        kind: 'list',
        title: msg`How it works`,
        items: [
          msg`Filter by user, action, object and days; the URL keeps the filters, to bookmark or share them.`,
          msg`An export contains every entry that the filters match, oldest first, each with its hash.`,
          msg`Passwords, keys and other secrets are never recorded: an entry says only that one was replaced.`,
        ],
      },
      {
        kind: 'list',
        title: msg`Check that the log is intact`,
        items: [
          msg`Each entry has a hash of itself and of the entry before it. Run “clearway audit verify” on the server: it names the first entry that was changed, removed or inserted.`,
          msg`The setting CLEARWAY_AUDIT_DAYS says after how many days the oldest entries are deleted; 0 keeps all of them.`,
        ],
      },
    ],
  },
  'api-keys': {
    title: msg`API keys`,
    parts: [
      {
        kind: 'steps',
        title: msg`Give a program access`,
        items: [
          msg`Name the key after the program, choose what it may do and when it expires, and create it.`,
          msg`Copy it now: it is shown only once. The program sends it in the header X-API-Key.`,
          msg`Revoke a key that is not needed, or that others may have seen. It stops working at once.`,
        ],
      },
    ],
  },
  webhooks: {
    title: msg`Webhooks`,
    parts: [
      {
        kind: 'steps',
        title: msg`Notify another program`,
        items: [
          msg`Choose a scan that you manage, and add the URL of the program and the events it is notified of.`,
          msg`Copy the secret: the program uses it to verify that a message comes from this server.`,
          msg`Send a test message. The list of deliveries says what was answered; failed ones are tried again for a while.`,
        ],
      },
    ],
  },
} as const satisfies Record<string, DocsPage>
