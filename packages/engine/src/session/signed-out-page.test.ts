import { expect, test } from 'vitest'
import { isSignedOutPage, leadsToSignIn, type SignInProof } from './proof.ts'
import type { PageFacts } from './view-in-page.ts'

const buildFacts = (url: string, title: string, hasPassword = false): PageFacts => ({ url, title, text: title, hasPassword })

test('a link to the sign-in page of WordPress is a page, and a redirect to it is a lost session', () => {
  const form = buildFacts('http://site.test/wp-login.php?redirect_to=%2Fwp-admin%2F&reauth=1', 'Log In ‹ Harbour', true)
  const proof: SignInProof = {
    signInPages: [form],
    signedOutPage: { ...form, status: 200 },
    memberPage: buildFacts('http://site.test/wp-admin/', 'Dashboard ‹ Harbour'),
  }
  const linkedForm = { ...form, url: 'http://site.test/wp-login.php' }
  expect(isSignedOutPage(proof, 'http://site.test/wp-login.php', linkedForm)).toBe(false)
  expect(isSignedOutPage(proof, 'http://site.test/wp-admin/edit.php', form)).toBe(true)
  expect(
    isSignedOutPage(proof, 'http://site.test/wp-admin/edit.php', { ...form, url: 'http://site.test/wp-admin/edit.php' }),
  ).toBe(true)
})

test('a start page that shows its form in place is lost, also at its own address', () => {
  const form = buildFacts('http://site.test/', 'Harbour', true)
  const memberPage = buildFacts('http://site.test/', 'Harbour of Ann')
  const proof: SignInProof = { signInPages: [form], signedOutPage: { ...form, status: 200 }, memberPage }
  expect(isSignedOutPage(proof, 'http://site.test/', form)).toBe(true)
})

test('pages of a program with one address are told apart by the parameter that names them', () => {
  const form = buildFacts('http://wiki.test/index.php?title=Special:UserLogin&returnto=Main+Page', 'Log in - Harbour wiki', true)
  const proof: SignInProof = { signInPages: [form], signedOutPage: null }
  const search = 'http://wiki.test/index.php/Special:Search/Boss'
  expect(leadsToSignIn(proof, search, 'http://wiki.test/index.php?search=Boss&title=Special%3ASearch')).toBe(false)
  expect(leadsToSignIn(proof, search, 'http://wiki.test/index.php?title=Special%3AUserLogin&returnto=Special:Search')).toBe(true)
  const plainProof: SignInProof = {
    signInPages: [buildFacts('http://site.test/login?next=/', 'Log in', true)],
    signedOutPage: null,
  }
  expect(leadsToSignIn(plainProof, 'http://site.test/a', 'http://site.test/login?next=/a&expired=1')).toBe(true)
})
