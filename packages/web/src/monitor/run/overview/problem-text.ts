import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { RunProblem } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'

type ProblemText = { what: MessageDescriptor; remedy: MessageDescriptor }

export const runProblemTexts: Record<z.output<typeof RunProblem>, ProblemText> = {
  'start-urls-failed': {
    what: msg`None of the start URLs could be tested.`,
    remedy: msg`Open them in your browser to see whether the site answers. Correct the URLs in the scan's settings if they are wrong.`,
  },
  'start-url-leaves-domains': {
    what: msg`A start URL leads to a domain that does not belong to the scan.`,
    remedy: msg`Use the URL that it leads to, or add its domain in the advanced settings.`,
  },
  'nothing-to-scan': {
    what: msg`There was no page to test.`,
    remedy: msg`Check the start URLs, and whether robots.txt or the scan's settings exclude everything.`,
  },
  'no-browser': {
    what: msg`The server has no browser that it can start.`,
    remedy: msg`An administrator has to install Chromium on the server. Then start the run again.`,
  },
  'disk-full': {
    what: msg`The server's disk is full.`,
    remedy: msg`An administrator has to free space. What was found before is kept.`,
  },
  'database-unavailable': {
    what: msg`The database did not answer.`,
    remedy: msg`What was found before is kept. Start the run again once the database works.`,
  },
  'run-timeout': {
    what: msg`The run took longer than the scan allows.`,
    remedy: msg`What was found before is kept. Allow more time, or make the scan smaller.`,
  },
  'invalid-settings': {
    what: msg`A setting of the scan cannot be used.`,
    remedy: msg`Correct it in the scan's settings, then start the run again.`,
  },
  'session-failed': {
    what: msg`The scan could not sign in.`,
    remedy: msg`Check the sign-in that the scan uses: user name, password, keystore, script. What was found before is kept.`,
  },
  'too-many-failures': {
    what: msg`The site stopped answering.`,
    remedy: msg`What was found before is kept. Start the run again once the site works, with fewer pages at once if it was overloaded.`,
  },
  wall: {
    what: msg`Something stood in front of the content: a dialog, a challenge, a maintenance page or an error.`,
    remedy: msg`Issues that were found before stay open. Open the page in your browser, then let the scan close banners, sign in or pass the challenge, and start the run again.`,
  },
  'not-signed-in': {
    what: msg`Not all pages were proved to be tested signed in.`,
    remedy: msg`Their issues stay as they were. Check the sign-in script with a dry run, and start the run again.`,
  },
  'leads-to-sign-in': {
    what: msg`A start URL leads to a sign-in page, and the scan does not sign in.`,
    remedy: msg`Set up the sign-in in the settings of the scan, then start the run again. To test the sign-in page itself, name its own address.`,
  },
  'internal-error': {
    what: msg`The run failed because of a fault in the server.`,
    remedy: msg`Start the run again. If it fails again, tell your administrator.`,
  },
}
