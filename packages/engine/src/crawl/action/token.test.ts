import { expect, it } from 'vitest'
import { openGlobRules } from '../scope/url-rules.ts'
import { hideTokens, hideTokensInText } from './token.ts'

const site = 'https://a.example'
it.each([
  ['/wp-admin/post.php?post=7&action=trash&_wpnonce=3f9ab2c81d', '/wp-admin/post.php?post=7&action=trash&_wpnonce=*'],
  ['/watch?title=Home&wltoken=abcdefgh%2B%5C', '/watch?title=Home&wltoken=*'],
  ['/logout?sesskey=Ab12Cd34Ef', '/logout?sesskey=*'],
  ['/x?tx_news%5Bcsrf%5D=1a2b', '/x?tx_news%5Bcsrf%5D=*'],
  ['/x?tx_news[formToken]=1a2b', '/x?tx_news[formToken]=*'],
  ['/cart;jsessionid=0A1B2C3D?item=5', '/cart;jsessionid=*?item=5'],
  ['/checkout/cart/add/product/7/form_key/Zk93jf02kd/', '/checkout/cart/add/product/7/form_key/*/'],
  ['/x?PHPSESSID=kd93jf02kd8x&page=2', '/x?PHPSESSID=*&page=2'],
  ['/#/items/7/delete?token=eyJhbGciOi1', '/#/items/7/delete?token=*'],
  ['/x?_wpnonce%5B%5D=3f9ab2c81d', '/x?_wpnonce%5B%5D=*'],
  ['/back?access_token=abcdefghijklmnopqrstuvwx', '/back?access_token=*'],
  ['/back#access_token=eyJhbGciOi1&type=bearer', '/back#access_token=*&type=bearer'],
  ['/cas?ticket=ST-1856339-aA5Yuvrxzpv8', '/cas?ticket=*'],
  ['/in?next=%2Fpost%3Fid%3D7%26_wpnonce%3D3f9ab2c81d&x=1', '/in?next=%2Fpost%3Fid%3D7%26_wpnonce%3D*&x=1'],
  ['/f?X-Amz-Credential=AKIA2%2F20240101%2Fs3&X-Amz-Signature=9f8e7d6c5b', '/f?X-Amz-Credential=*&X-Amz-Signature=*'],
  ['/reset/9f8e7d6c5b4a39281706f5e4d3c2b1a0/delete', '/reset/*/delete'],
  ['/unsubscribe/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x-1', '/unsubscribe/eyJ*'],
  ['/x?password=hunter&client_secret=abc&apiKey=k1', '/x?password=*&client_secret=*&apiKey=*'],
])('hides the token of %s', (url, hidden) => {
  expect(hideTokens(`${site}${url}`)).toBe(`${site}${hidden}`)
  expect(openGlobRules([`${site}${hidden}`]).findMatch(`${site}${url}`)).not.toBeNull()
})

it.each([
  '/search?q=token',
  '/x?key=color&hash=short',
  '/news?sid=12',
  '/wiki/Token?rev=1204',
  '/?_token=',
  '/#token=2024',
  '/help?code=E404',
  '/event?ticket=adult',
  '/files/9f8e7d6c5b4a39281706f5e4d3c2b1a0',
])('leaves %s as it is', (url) => {
  expect(hideTokens(`${site}${url}`)).toBe(`${site}${url}`)
})

it('hides them in a text', () => {
  expect(hideTokensInText('Redirects to https://a.example/x?nonce=9f8e7d6c5b (302)')).toBe(
    'Redirects to https://a.example/x?nonce=* (302)',
  )
})
