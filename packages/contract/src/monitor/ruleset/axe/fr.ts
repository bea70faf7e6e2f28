import type { AxeTexts } from './model.ts'

export const axeTextsFr: AxeTexts = {
  why: {
    aria: 'Les technologies d’assistance ignorent ou interprètent mal un ARIA non valide : elles donnent une fausse idée de l’élément et de ce qu’il fait.',
    autofill:
      'Les navigateurs remplissent les données connues grâce à cet attribut, ce qui épargne la saisie aux personnes ayant un trouble moteur ou de la mémoire. Ici, cela échoue.',
    braille:
      'La plage braille affiche un texte que la synthèse vocale n’a pas : qui utilise les deux reçoit des informations différentes.',
    captions: 'Les personnes sourdes ou malentendantes n’ont pas accès à ce qui est dit.',
    color: 'Qui ne perçoit pas la différence de couleur ne distingue pas le lien du texte qui l’entoure.',
    contrast: 'Les personnes malvoyantes ou daltoniennes, et tout le monde en pleine lumière, ont du mal à lire le texte.',
    control:
      'Un lecteur d’écran ne peut annoncer que le type de l’élément, et la commande vocale n’a pas de nom à appeler. Personne ne sait ce qu’il fait.',
    field:
      'Avec un lecteur d’écran, on ne sait pas quoi saisir ou choisir ; la commande vocale ne peut pas désigner le champ par un nom.',
    focus: 'Au clavier, on perd le fil : le focus se déplace dans un ordre inattendu ou s’arrête là où il n’y a rien à faire.',
    frame:
      'Avec un lecteur d’écran, on choisit les cadres d’après leur nom. Sans nom propre, il faut entrer dans chacun pour savoir ce qu’il contient.',
    ghost: 'Le clavier peut s’arrêter ici, mais le lecteur d’écran se tait ou se contredit : on ne sait plus où l’on est.',
    headings:
      'Beaucoup de personnes utilisant un lecteur d’écran s’orientent par les titres. Absents, vides ou sautés, ils les égarent.',
    hidden: 'Toute la page est cachée aux lecteurs d’écran : pour qui les utilise, elle est vide.',
    ids: 'Étiquettes, liens et scripts trouvent un élément par son identifiant. S’il est en double, ils peuvent mener au mauvais élément.',
    image: 'Qui ne voit pas l’image n’en apprend rien : le lecteur d’écran la saute ou lit son nom de fichier.',
    keyboard: 'Qui utilise un clavier au lieu d’une souris ne peut ni l’atteindre ni s’en servir.',
    labels: 'Parmi plusieurs étiquettes, les lecteurs d’écran ne lisent pas tous la même : on n’entend peut-être que la moitié.',
    language: 'Un lecteur d’écran choisit sa voix selon la langue. Avec la mauvaise, les mots deviennent incompréhensibles.',
    lists: 'Un lecteur d’écran dit combien d’éléments compte une liste et lequel est lu. Un balisage incorrect l’en empêche.',
    mismatch:
      'Avec la commande vocale, on prononce les mots que l’on voit. Le nom dans le code est différent, et rien ne se passe.',
    motion:
      'Un texte qui bouge ou clignote distrait les personnes ayant un trouble de l’attention, et qui lit lentement ne peut pas suivre.',
    nested:
      'Un lecteur d’écran traite le contenu comme un tout : l’élément interactif à l’intérieur n’est pas annoncé, mais reçoit le focus.',
    parts:
      'Les lecteurs d’écran composent listes, menus, onglets et tableaux à partir de leurs parties. S’il en manque une, ils les annoncent mal.',
    regions:
      'Avec un lecteur d’écran, on saute entre des régions comme l’en-tête, la navigation et le contenu principal. Absentes, imbriquées ou en double, elles égarent.',
    rotate: 'Qui a son appareil fixé à un fauteuil roulant ou à un lit ne peut pas le tourner et voit la page couchée.',
    same: 'Les lecteurs d’écran listent les liens hors de leur texte. Deux liens de même nom semblent mener au même endroit.',
    shortcut: 'Pour cette touche, les navigateurs ne choisissent pas tous le même élément : on déclenche le mauvais.',
    skip: 'Au clavier ou avec un lecteur d’écran, il faut reparcourir les mêmes menus à chaque page.',
    sound: 'Un son qui démarre seul couvre le lecteur d’écran : on n’entend pas comment l’arrêter.',
    spacing:
      'Les personnes dyslexiques ou malvoyantes agrandissent les espacements pour mieux lire. Ce style l’emporte sur leurs réglages.',
    tables: 'Un lecteur d’écran nomme les en-têtes de chaque cellule. Sans eux, un tableau est une suite de valeurs éparses.',
    target:
      'Les personnes qui tremblent, ou qui utilisent un écran tactile d’une main, manquent les petites cibles ou touchent la voisine.',
    time: 'La page change pendant qu’on la lit encore, et le lecteur d’écran reprend depuis le haut.',
    title: 'Le titre est annoncé en premier par un lecteur d’écran et distingue un onglet d’un autre.',
    twice: 'Un lecteur d’écran lit deux fois de suite les mêmes mots.',
    unseen: 'Ce qui n’a pas été testé peut contenir n’importe quel défaut : le résultat est incomplet.',
    visible:
      'Une infobulle ou un texte caché n’est pas une étiquette durable : au clavier, sur écran tactile ou avec une loupe, on ne le voit pas.',
    widget: 'Un lecteur d’écran dit que l’élément est là, mais pas de quoi il s’agit.',
    zoom: 'Les personnes malvoyantes agrandissent la page pour la lire. Ici, le navigateur ne le permet pas.',
  },
  rules: {
    accesskeys: [
      'Les touches d’accès ne sont pas uniques',
      'N’attribuez chaque touche d’accès qu’une fois, ou mieux, supprimez-les.',
    ],
    'area-alt': ['Une zone cliquable d’une image n’a pas de texte alternatif', 'Dites dans alt où mène la zone.'],
    'aria-allowed-attr': [
      'Le rôle n’accepte pas cet attribut ARIA',
      'Supprimez l’attribut, ou utilisez le rôle auquel il appartient.',
    ],
    'aria-allowed-role': [
      'Le rôle n’est pas permis sur cet élément',
      'Supprimez le rôle, ou mettez-le sur un div ou un span. Mieux encore, utilisez l’élément HTML qui le possède par nature.',
    ],
    'aria-braille-equivalent': [
      'Un texte en braille n’a pas d’équivalent vocal',
      'Ajoutez aria-label ou aria-roledescription, ou supprimez l’attribut braille.',
    ],
    'aria-command-name': [
      'Un bouton, un lien ou une entrée de menu n’a pas de nom',
      'Mettez-y du texte, ou nommez-le avec aria-label.',
    ],
    'aria-conditional-attr': [
      'Un attribut ARIA contredit son élément',
      'Supprimez-le. Une case à cocher ou un bouton radio tient son état de HTML, comme checked. Une ligne de tableau ne peut avoir aria-expanded, aria-level, aria-posinset et aria-setsize que dans un treegrid.',
    ],
    'aria-deprecated-role': ['Le rôle est obsolète', 'Supprimez-le, ou utilisez le rôle ou l’élément qui le remplace.'],
    'aria-dialog-name': [
      'Une boîte de dialogue n’a pas de nom',
      'Pointez aria-labelledby vers son titre, ou nommez-la avec aria-label.',
    ],
    'aria-hidden-body': [
      'Toute la page est cachée aux technologies d’assistance',
      'Retirez aria-hidden de body. Pour cacher ce qui est derrière une boîte de dialogue, mettez-le sur cette partie seulement.',
    ],
    'aria-hidden-focus': [
      'Un élément caché peut recevoir le focus',
      'Retirez-le de l’ordre de tabulation avec tabindex="-1", désactivez-le ou utilisez inert, ou ne le cachez pas.',
    ],
    'aria-input-field-name': [
      'Un champ de saisie personnalisé n’a pas de nom',
      'Pointez aria-labelledby vers son étiquette visible, ou nommez-le avec aria-label.',
    ],
    'aria-meter-name': ['Une jauge n’a pas de nom', 'Dites avec aria-label ou aria-labelledby ce qu’elle mesure.'],
    'aria-progressbar-name': [
      'Une barre de progression n’a pas de nom',
      'Dites avec aria-label ou aria-labelledby ce qui progresse.',
    ],
    'aria-prohibited-attr': [
      'Attribut ARIA interdit',
      'Supprimez l’attribut et écrivez le texte dans la page, ou donnez à l’élément un rôle qui le permet.',
    ],
    'aria-required-attr': [
      'Un attribut ARIA obligatoire manque',
      'Ajoutez l’attribut que le rôle exige, ou utilisez plutôt l’élément HTML.',
    ],
    'aria-required-children': [
      'Les rôles enfants obligatoires manquent',
      'N’y placez que des éléments ayant les rôles attendus, ou supprimez le rôle.',
    ],
    'aria-required-parent': ['Le rôle parent obligatoire manque', 'Entourez l’élément d’un autre qui a le rôle attendu.'],
    'aria-roledescription': [
      'Une description de rôle est sur un élément sans rôle',
      'Donnez à l’élément un rôle adapté, ou supprimez aria-roledescription.',
    ],
    'aria-roles': ['Rôle ARIA non valide', 'Corrigez l’orthographe, ou supprimez le rôle.'],
    'aria-tab-name': ['Un onglet n’a pas de nom', 'Mettez-y du texte, ou nommez-le avec aria-label.'],
    'aria-text': [
      'Un texte lu d’un seul bloc contient un élément interactif',
      'Supprimez role="text", ou sortez-en le lien ou le bouton.',
    ],
    'aria-toggle-field-name': [
      'Une case à cocher, un bouton radio ou un interrupteur personnalisé n’a pas de nom',
      'Mettez-y du texte, ou nommez-le avec aria-labelledby ou aria-label.',
    ],
    'aria-tooltip-name': ['Une infobulle n’a pas de texte', 'Écrivez-y son texte, ou nommez-la avec aria-label.'],
    'aria-treeitem-name': ['Un élément d’arborescence n’a pas de nom', 'Mettez-y du texte, ou nommez-le avec aria-label.'],
    'aria-valid-attr': ['Attribut ARIA non valide', 'Corrigez l’orthographe, ou supprimez l’attribut.'],
    'aria-valid-attr-value': [
      'Valeur non valide d’un attribut ARIA',
      'Utilisez une des valeurs permises. S’il cite un identifiant, un élément doit le porter.',
    ],
    'audio-caption': [
      'Un audio n’a pas de sous-titres',
      'Mettez une transcription à côté. Les navigateurs n’affichent pas les sous-titres d’un élément audio : pour les afficher, lisez l’enregistrement dans un élément video avec une piste de sous-titres.',
    ],
    'autocomplete-valid': [
      'Attribut autocomplete non valide',
      'Utilisez une valeur de la norme HTML qui convient au champ, comme email ou postal-code.',
    ],
    'avoid-inline-spacing': [
      'L’espacement du texte ne peut pas être ajusté',
      'Retirez !important de line-height, letter-spacing et word-spacing dans l’attribut style.',
    ],
    blink: ['Texte clignotant', 'Supprimez l’élément blink et mettez le texte en valeur autrement.'],
    'button-name': ['Un bouton n’a pas de nom', 'Mettez-y du texte. S’il n’a qu’une icône, ajoutez aria-label.'],
    bypass: [
      'Le contenu répété ne peut pas être évité',
      'Balisez le contenu principal, la navigation et les titres, et placez un lien d’évitement en premier.',
    ],
    'color-contrast': [
      'Le texte a trop peu de contraste',
      'Foncez le texte ou éclaircissez le fond (ou l’inverse) : au moins 4,5 pour 1, ou 3 pour 1 pour un grand texte.',
    ],
    'color-contrast-enhanced': [
      'Le texte n’atteint pas le contraste renforcé',
      'Foncez le texte ou éclaircissez le fond (ou l’inverse) : au moins 7 pour 1, ou 4,5 pour 1 pour un grand texte.',
    ],
    'css-orientation-lock': [
      'La page est bloquée dans une orientation',
      'Retirez la rotation de la requête média ; prévoyez la page en portrait et en paysage.',
    ],
    'definition-list': [
      'Une liste de descriptions est mal structurée',
      'Ne mettez dans dl que des groupes de dt et dd, ou des div qui en contiennent.',
    ],
    dlitem: ['Un terme ou une description est hors d’une liste de descriptions', 'Entourez dt et dd d’un élément dl.'],
    'document-title': ['La page n’a pas de titre', 'Écrivez un élément title qui nomme d’abord la page, puis le site.'],
    'duplicate-id': ['Les identifiants ne sont pas uniques', 'Donnez à chaque élément son propre identifiant.'],
    'duplicate-id-active': [
      'Les identifiants d’éléments interactifs ne sont pas uniques',
      'Donnez à chacun son propre identifiant.',
    ],
    'duplicate-id-aria': [
      'Les identifiants utilisés par des étiquettes ou ARIA ne sont pas uniques',
      'Donnez à chaque élément son propre identifiant, et vérifiez ce qui y renvoie.',
    ],
    'empty-heading': [
      'Un titre est vide',
      'Écrivez son texte, ou supprimez-le. Une image à l’intérieur a besoin d’un texte alternatif.',
    ],
    'empty-table-header': [
      'Une cellule d’en-tête d’un tableau est vide',
      'Écrivez ce que contient la ligne ou la colonne. Pour un coin vide, utilisez td.',
    ],
    'focus-order-semantics': [
      'Un élément qui reçoit le focus n’a pas de rôle interactif',
      'Utilisez un bouton ou un lien, ou supprimez tabindex.',
    ],
    'form-field-multiple-labels': [
      'Un champ a plusieurs étiquettes',
      'Réunissez-les en une seule ; décrivez le reste avec aria-describedby.',
    ],
    'frame-focusable-content': [
      'Un cadre contenant des éléments interactifs est exclu de l’ordre de tabulation',
      'Retirez le tabindex négatif du cadre.',
    ],
    'frame-tested': [
      'Le contenu d’un cadre n’a pas pu être testé',
      'Les remarques de la page disent pourquoi. Analysez son adresse séparément, ou vérifiez-le à la main. L’attribut sandbox peut rester : avec allow-scripts, le cadre peut être testé. Masquez avec aria-hidden="true" un cadre qui n’est que décoration.',
    ],
    'frame-title': ['Un cadre n’a pas de titre', 'Dites dans son attribut title ce qu’il contient.'],
    'frame-title-unique': [
      'Les titres des cadres ne sont pas uniques',
      'Donnez à chaque cadre un titre propre qui dit ce qu’il contient.',
    ],
    'heading-order': [
      'Un niveau de titre est sauté',
      'Utilisez le niveau qui suit le titre précédent : h3 sous h2. La taille se règle en CSS.',
    ],
    'hidden-content': [
      'Du contenu caché n’a pas été testé',
      'Affichez-le, par exemple avec un script de l’analyse, et testez à nouveau.',
    ],
    'html-has-lang': ['La langue de la page n’est pas indiquée', 'Indiquez lang sur l’élément html, par exemple lang="fr".'],
    'html-lang-valid': ['Langue de la page non valide', 'Utilisez dans lang un code valide comme fr, fr-CA ou en.'],
    'html-xml-lang-mismatch': [
      'lang et xml:lang ne correspondent pas',
      'Mettez la même langue dans lang et xml:lang, ou supprimez xml:lang.',
    ],
    'identical-links-same-purpose': [
      'Des liens de même nom mènent à des endroits différents',
      'Nommez chaque lien d’après sa cible, ou faites-les mener à la même.',
    ],
    'image-alt': [
      'Une image n’a pas de texte alternatif',
      'Dites dans alt ce que l’image montre ou fait. Si elle est décorative, laissez alt vide (alt="").',
    ],
    'image-redundant-alt': ['Le texte alternatif répète le texte voisin', 'Laissez alt vide quand le texte le dit déjà.'],
    'input-button-name': ['Un bouton de formulaire n’a pas d’étiquette', 'Écrivez son nom dans l’attribut value.'],
    'input-image-alt': ['Un bouton image n’a pas de texte alternatif', 'Dites dans alt ce que fait le bouton.'],
    label: [
      'Un champ de formulaire n’a pas d’étiquette',
      'Ajoutez un élément label dont for est l’identifiant du champ. Si la place manque, utilisez aria-label.',
    ],
    'label-content-name-mismatch': [
      'Le nom accessible ne contient pas le texte visible',
      'Commencez aria-label par le texte visible, ou supprimez-le.',
    ],
    'label-title-only': ['Un champ de formulaire n’a pas d’étiquette visible', 'Ajoutez un élément label que l’on peut voir.'],
    'landmark-banner-is-top-level': [
      'L’en-tête de la page est dans une autre région',
      'Sortez-le de main, de la navigation, etc.',
    ],
    'landmark-complementary-is-top-level': [
      'Un contenu complémentaire est dans une autre région',
      'Sortez l’élément aside de l’autre région.',
    ],
    'landmark-contentinfo-is-top-level': [
      'Le pied de page est dans une autre région',
      'Sortez-le de main, de la navigation, etc.',
    ],
    'landmark-main-is-top-level': ['Le contenu principal est dans une autre région', 'Sortez l’élément main de l’autre région.'],
    'landmark-no-duplicate-banner': [
      'La page a plus d’une région d’en-tête',
      'Gardez un seul header au premier niveau ; mettez les autres dans section ou article.',
    ],
    'landmark-no-duplicate-contentinfo': [
      'La page a plus d’une région de pied de page',
      'Gardez un seul footer au premier niveau ; mettez les autres dans section ou article.',
    ],
    'landmark-no-duplicate-main': [
      'La page a plus d’une région principale',
      'Mettez tout le contenu principal dans un seul élément main.',
    ],
    'landmark-one-main': ['La page n’a pas de région principale', 'Entourez le contenu principal d’un élément main.'],
    'landmark-unique': ['Les régions doivent avoir un nom unique', 'Donnez un nom à chaque région de même type avec aria-label.'],
    'link-in-text-block': [
      'Un lien ne se distingue du texte que par la couleur',
      'Soulignez les liens dans le texte, ou donnez-leur un contraste de 3 pour 1 avec le texte et un soulignement au survol et au focus.',
    ],
    'link-name': [
      'Un lien n’a pas de nom',
      'Mettez-y un texte qui dit où il mène. Une image à l’intérieur a besoin d’un texte alternatif.',
    ],
    list: ['Une liste a des enfants non valides', 'Ne mettez directement dans ul ou ol que des éléments li.'],
    listitem: ['Un élément de liste est hors d’une liste', 'Entourez les éléments li de ul ou ol.'],
    marquee: ['Texte défilant', 'Supprimez l’élément marquee et affichez le texte immobile.'],
    'meta-refresh': [
      'La page se recharge ou redirige automatiquement',
      'Supprimez refresh. Redirigez côté serveur, ou laissez chacun choisir le moment.',
    ],
    'meta-refresh-no-exceptions': [
      'La page se recharge ou redirige automatiquement, même après un long délai',
      'Supprimez refresh et laissez chacun choisir le moment.',
    ],
    'meta-viewport': ['Le zoom est désactivé', 'Supprimez user-scalable=no, et maximum-scale inférieur à 2.'],
    'meta-viewport-large': ['Le zoom est limité', 'Supprimez maximum-scale, ou mettez-le à 5 ou plus.'],
    'nested-interactive': ['Des éléments interactifs sont imbriqués', 'Placez-les l’un à côté de l’autre.'],
    'no-autoplay-audio': [
      'Un son est lu automatiquement pendant plus de 3 secondes',
      'Supprimez autoplay, ou ajoutez une commande pour l’arrêter ou le couper.',
    ],
    'object-alt': ['Un objet intégré n’a pas de texte alternatif', 'Nommez-le avec aria-label ou title.'],
    'p-as-heading': [
      'Un paragraphe est mis en forme comme un titre',
      'Utilisez un élément de titre, h1 à h6, et mettez-le en forme en CSS.',
    ],
    'page-has-heading-one': ['La page n’a pas de titre de premier niveau', 'Balisez le titre du contenu principal en h1.'],
    'presentation-role-conflict': [
      'Un élément décoratif est exposé aux technologies d’assistance',
      'Retirez-en tabindex et les attributs ARIA, ou le rôle none.',
    ],
    region: ['Du contenu est hors de toute région', 'Placez-le dans header, nav, main, aside ou footer.'],
    'role-img-alt': [
      'Un élément ayant le rôle d’une image n’a pas de texte alternatif',
      'Nommez-le avec aria-label ou aria-labelledby.',
    ],
    'scope-attr-valid': ['Attribut scope non valide', 'N’utilisez scope que sur th, avec row, col, rowgroup ou colgroup.'],
    'scrollable-region-focusable': [
      'Une zone défilante n’est pas accessible au clavier',
      'Ajoutez à la zone tabindex="0", un rôle et un nom.',
    ],
    'select-name': ['Une liste déroulante n’a pas d’étiquette', 'Ajoutez un élément label dont for est l’identifiant du champ.'],
    'server-side-image-map': ['Carte cliquable côté serveur', 'Utilisez un élément map avec des area, ou de simples liens.'],
    'skip-link': [
      'La cible d’un lien d’évitement n’existe pas',
      'Donnez au contenu principal l’identifiant cité par le lien, et rendez-le focalisable avec tabindex="-1". Affichez le lien tant qu’il a le focus.',
    ],
    'summary-name': ['Un élément summary n’a pas de nom', 'Écrivez dans l’élément summary ce qui s’ouvre.'],
    'svg-img-alt': [
      'Une image SVG n’a pas de texte alternatif',
      'Nommez-la avec aria-label ou un élément title, ou cachez la décoration avec aria-hidden="true".',
    ],
    tabindex: [
      'Un tabindex positif change l’ordre de tabulation',
      'Utilisez tabindex="0" ou aucun, et mettez les éléments dans le bon ordre dans le code.',
    ],
    'table-duplicate-name': [
      'La légende et le résumé d’un tableau sont identiques',
      'Gardez caption et supprimez summary, ou faites-lui dire autre chose.',
    ],
    'table-fake-caption': ['Une cellule sert de légende à un tableau', 'Déplacez son texte dans un élément caption.'],
    'target-size': [
      'Une cible est trop petite et trop proche d’autres',
      'Donnez-lui au moins 24 pixels sur 24, ou plus d’espace autour.',
    ],
    'td-has-header': [
      'Une cellule de données d’un grand tableau n’a pas d’en-tête',
      'Utilisez th avec scope pour les en-têtes de lignes et de colonnes.',
    ],
    'td-headers-attr': [
      'Une cellule renvoie à des en-têtes hors de son tableau',
      'Ne citez dans headers que des identifiants de th du même tableau.',
    ],
    'th-has-data-cells': [
      'Un en-tête de tableau n’a pas de cellules de données',
      'Corrigez le tableau ou scope ; utilisez td là où ce n’est pas un en-tête.',
    ],
    'valid-lang': ['Attribut lang non valide', 'Utilisez dans lang un code valide comme fr ou pt-BR.'],
    'video-caption': [
      'Une vidéo n’a pas de sous-titres',
      'Ajoutez une piste de type captions avec tout ce qui est dit et les sons qui comptent.',
    ],
  },
}
