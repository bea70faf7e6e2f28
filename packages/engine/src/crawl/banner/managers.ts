/**
 * Effect of a button of a banner: `refuse` and `dismiss` leave nothing agreed to, `save` keeps the switches as they are,
 * `open` leads to a second layer, `accept` agrees.
 */
export type ButtonEffect = 'refuse' | 'dismiss' | 'save' | 'open' | 'accept'

/** A consent manager by its public markup. Buttons without a row are told by their words. */
export type ConsentManager = {
  name: string
  /** Selectors of the banner and its layers, or of the host of their shadow root. */
  container: string
} & Partial<Record<ButtonEffect, string>>

export const consentManagers: readonly ConsentManager[] = [
  {
    name: 'OneTrust',
    container: '#onetrust-consent-sdk, #onetrust-banner-sdk, #onetrust-pc-sdk',
    refuse: '#onetrust-reject-all-handler, .ot-pc-refuse-all-handler',
    save: '.save-preference-btn-handler',
    open: '#onetrust-pc-btn-handler',
    accept: '#onetrust-accept-btn-handler, #accept-recommended-btn-handler',
  },
  {
    name: 'Cookiebot',
    container: '#CybotCookiebotDialog',
    refuse: '#CybotCookiebotDialogBodyButtonDecline, #CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll',
    save: '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowallSelection',
    open: '#CybotCookiebotDialogBodyLevelButtonCustomize, #CybotCookiebotDialogBodyButtonDetails',
    accept: '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll, #CybotCookiebotDialogBodyButtonAccept',
  },
  {
    name: 'Usercentrics',
    container: '#usercentrics-root, #usercentrics-cmp-ui',
    refuse: '[data-testid="uc-deny-all-button"], [data-action-type="deny"], .uc-deny-button',
    save: '[data-testid="uc-save-button"], [data-action-type="save"]',
    open: '[data-testid="uc-more-button"], [data-testid="uc-customize-button"], [data-action-type="more"]',
    accept: '[data-testid="uc-accept-all-button"], [data-action-type="accept"], .uc-accept-button',
  },
  {
    name: 'Didomi',
    container: '#didomi-host',
    refuse: '#didomi-notice-disagree-button, .didomi-continue-without-agreeing, #btn-toggle-disagree',
    save: '#btn-toggle-save',
    open: '#didomi-notice-learn-more-button',
    accept: '#didomi-notice-agree-button, #btn-toggle-agree',
  },
  // Its second button opens the second layer or refuses: only its words tell.
  { name: 'Quantcast', container: '.qc-cmp2-container, #qc-cmp2-container' },
  {
    name: 'TrustArc',
    container: '#truste-consent-track, .truste_box_overlay',
    refuse: '#truste-consent-required',
    open: '#truste-show-consent',
    accept: '#truste-consent-button',
  },
  {
    name: 'Klaro',
    container: '.klaro',
    refuse: '.cn-decline, .cm-btn-decline',
    save: '.cm-btn-accept',
    open: '.cm-learn-more, .cn-learn-more',
    accept: '.cm-btn-accept-all, .cookie-notice .cm-btn-success',
  },
  {
    name: 'vanilla-cookieconsent',
    container: '#cc-main, #cc--main',
    refuse: '[data-role="necessary"], #s-rall-bn, #c-rall-bn',
    save: '[data-role="save"], #s-sv-bn',
    open: '[data-role="show"]',
    accept: '[data-role="all"], #s-all-bn, #c-p-bn',
  },
  {
    name: 'Cookie Consent',
    container: '.cc-window',
    refuse: '.cc-deny',
    accept: '.cc-allow, .cc-dismiss',
  },
  {
    name: 'Osano',
    container: '.osano-cm-window',
    refuse: '.osano-cm-denyAll, .osano-cm-button--type_denyAll',
    save: '.osano-cm-save, .osano-cm-button--type_save',
    open: '.osano-cm-manage, .osano-cm-button--type_manage',
    accept: '.osano-cm-accept-all, .osano-cm-button--type_accept',
  },
  {
    name: 'tarteaucitron',
    container: '#tarteaucitronRoot',
    refuse: '#tarteaucitronAllDenied2, #tarteaucitronAllDenied',
    dismiss: '#tarteaucitronClosePanel',
    open: '#tarteaucitronCloseAlert',
    accept: '#tarteaucitronPersonalize2, #tarteaucitronAllAllowed',
  },
  {
    name: 'CookieYes',
    container: '.cky-consent-container, .cky-modal',
    refuse: '.cky-btn-reject, [data-cky-tag="reject-button"], [data-cky-tag="detail-reject-button"]',
    save: '.cky-btn-preferences, [data-cky-tag="detail-save-button"]',
    open: '.cky-btn-customize, [data-cky-tag="settings-button"]',
    accept: '.cky-btn-accept, [data-cky-tag="accept-button"]',
  },
  {
    name: 'GDPR Cookie Consent',
    container: '#cookie-law-info-bar, #cliSettingsPopup',
    refuse: '#cookie_action_close_header_reject, .wt-cli-reject-btn, .cookie_action_close_header_reject',
    save: '#wt-cli-privacy-save-btn',
    open: '.cli_settings_button',
    accept: '#cookie_action_close_header, #wt-cli-accept-all-btn, #wt-cli-accept-btn, .wt-cli-accept-all-btn',
  },
  {
    name: 'Borlabs Cookie',
    container: '#BorlabsCookieBox, #BorlabsCookieEntranceA11YE',
    refuse: '._brlbs-refuse-btn a, .brlbs-btn-accept-only-essential',
    save: '.brlbs-btn-save, #CookieBoxSaveButton',
    accept: '.brlbs-btn-accept-all, ._brlbs-accept',
  },
  {
    name: 'Complianz',
    container: '.cmplz-cookiebanner',
    refuse: '.cmplz-deny',
    save: '.cmplz-save-preferences',
    open: '.cmplz-view-preferences',
    accept: '.cmplz-accept',
  },
  {
    name: 'iubenda',
    container: '#iubenda-cs-banner',
    refuse: '.iubenda-cs-reject-btn',
    open: '.iubenda-cs-customize-btn',
    accept: '.iubenda-cs-accept-btn',
  },
  {
    name: 'Google consent messages',
    container: '.fc-consent-root',
    refuse: '.fc-cta-do-not-consent',
    save: '.fc-confirm-choices',
    open: '.fc-cta-manage-options',
    accept: '.fc-cta-consent',
  },
  {
    name: 'Sourcepoint',
    container: '.message.type-modal, .message-overlay',
    refuse: '.sp_choice_type_13, .sp_choice_type_REJECT_ALL',
    save: '.sp_choice_type_SAVE_AND_EXIT, .sp_choice_type_SE',
    open: '.sp_choice_type_12',
    accept: '.sp_choice_type_11, .sp_choice_type_ACCEPT_ALL',
  },
  {
    name: 'CookieFirst',
    container: '.cookiefirst-root',
    refuse: '[data-cookiefirst-action="reject"]',
    save: '[data-cookiefirst-action="save"]',
    open: '[data-cookiefirst-action="adjust"]',
    accept: '[data-cookiefirst-action="accept"]',
  },
  {
    name: 'consentmanager',
    container: '#cmpbox',
    refuse: '.cmpboxbtnno, .cmpboxbtnreject',
    save: '.cmpboxbtnsave',
    open: '.cmpboxbtncustom',
    accept: '.cmpboxbtnyes',
  },
  {
    name: 'Civic Cookie Control',
    container: '#ccc',
    refuse: '#ccc-reject-settings, #ccc-notify-reject',
    save: '#ccc-dismiss-button',
    accept: '#ccc-recommended-settings, #ccc-notify-accept',
  },
]
