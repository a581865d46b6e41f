# ruff: noqa: E501 - one concept a line, however many wordings it has
"""Words of the sample web: interface labels, names and attribute labels in six languages.

One label has several wordings a language, so that two sites that mean the same rarely say the same.
"""

from functools import cache

__all__ = [
    "FIRST_NAMES",
    "LANGUAGES",
    "LAST_NAMES",
    "SYLLABLES",
    "attribute_labels",
    "interface_labels",
    "language_name",
]

LANGUAGES = ("en", "de", "fr", "es", "ru", "ja")

# key: wordings in en | de | fr | es | ru | ja; an empty column falls back to English
_INTERFACE = """
home: Home, Start, Front page, Welcome | Startseite, Start | Accueil | Inicio, Portada | Главная | ホーム, トップ
about: About us, About, Who we are, Our story | Über uns, Wer wir sind | À propos, Qui sommes-nous | Quiénes somos, Acerca de | О нас, О компании | 会社概要
contact: Contact, Contact us, Get in touch, Find us | Kontakt | Contact, Nous contacter | Contacto | Контакты | お問い合わせ
help: Help, FAQ, Questions, Support | Hilfe, Fragen | Aide, Questions | Ayuda, Preguntas | Помощь | ヘルプ
search: Search, Find | Suche | Recherche | Buscar | Поиск | 検索
sitemap: Site map, A to Z, Index | Übersicht, Inhalt | Plan du site | Mapa del sitio | Карта сайта | サイトマップ
privacy: Privacy, Privacy policy, Your data | Datenschutz | Confidentialité | Privacidad | Конфиденциальность | 個人情報
terms: Terms, Terms of use, Conditions, Legal | AGB, Nutzung | Conditions, Mentions légales | Condiciones, Aviso legal | Условия | 利用規約
imprint: Imprint, Publisher | Impressum | Éditeur | Editor | Издатель | 運営者
access: Accessibility, Access statement | Barrierefreiheit | Accessibilité | Accesibilidad | Доступность | アクセシビリティ
careers: Careers, Jobs, Work with us, Vacancies | Karriere, Stellen | Emploi, Carrières | Empleo | Вакансии | 採用情報
press: Press, Media, Newsroom | Presse | Presse | Prensa | Пресса | 報道
signin: Sign in, Log in, My account | Anmelden, Mein Konto | Connexion, Mon compte | Entrar, Mi cuenta | Войти | ログイン
register: Register, Join, Create account | Registrieren | Inscription | Registro | Регистрация | 会員登録
cart: Basket, Cart, Bag | Warenkorb | Panier | Cesta | Корзина | カート
newsletter: Newsletter, Mailing list, Email updates | Rundbrief | Lettre | Boletín | Рассылка | メールマガジン
blog: Blog, Journal, Notes, Stories | Blog, Tagebuch | Blog, Carnet | Blog, Bitácora | Блог | ブログ
events: Events, Calendar, What's on, Dates | Termine, Kalender | Agenda | Agenda, Eventos | События | イベント
news: News, Latest, Announcements | Aktuelles, Neuigkeiten | Actualités | Noticias | Новости | お知らせ
support: Support, Service, Assistance | Service | Assistance | Soporte | Поддержка | サポート
downloads: Downloads, Download, Get it | Herunterladen | Télécharger | Descargas | Загрузки | ダウンロード
community: Community, Forum, People | Gemeinschaft, Forum | Communauté | Comunidad | Сообщество | コミュニティ
docs: Documentation, Docs, Manual, Guides | Dokumentation, Handbuch | Documentation, Manuel | Documentación, Manual | Документация | 文書
products: Products, What we make, Range | Produkte, Sortiment | Produits, Gamme | Productos | Продукты | 製品
services: Services, What we do, Solutions | Leistungen | Services, Prestations | Servicios | Услуги | サービス
projects: Projects, Our work, Portfolio | Projekte | Projets, Réalisations | Proyectos | Проекты | 事例
team: Team, People, Staff, Our people | Team, Mitarbeiter | Équipe | Equipo | Команда | スタッフ
partners: Partners, Friends, Sponsors | Partner, Förderer | Partenaires | Socios | Партнёры | パートナー
members: Members, Membership, Join us | Mitglieder | Membres, Adhésion | Socios, Hazte socio | Участники | 会員
gallery: Gallery, Pictures, Photos | Bilder, Galerie | Galerie, Photos | Galería, Fotos | Галерея | 写真
history: History, Timeline, Chronicle | Geschichte, Chronik | Histoire | Historia | История | 歴史
links: Links, Useful links, Elsewhere | Verweise, Netzadressen | Liens | Enlaces | Ссылки | リンク
delivery: Delivery, Shipping, Postage | Versand, Lieferung | Livraison | Envíos | Доставка | 配送
returns: Returns, Refunds, Send it back | Rückgabe | Retours | Devoluciones | Возврат | 返品
sizes: Size guide, Sizes, Find your size | Größen | Guide des tailles | Tallas | Размеры | サイズ表
stores: Stores, Branches, Store finder | Filialen | Magasins | Tiendas | Магазины | 店舗
prev: Previous, Prev, Back, Earlier | Zurück, Vorige | Précédent | Anterior | Назад | 前へ
next: Next, Forward, Later, Continue | Weiter, Nächste | Suivant | Siguiente | Вперёд | 次へ
up: Up, Contents, Chapter | Hoch, Inhalt | Haut, Sommaire | Subir, Índice | Вверх | 上へ
contents: Contents, Table of contents, In this book | Inhalt, Inhaltsverzeichnis | Sommaire, Table des matières | Índice, Contenido | Содержание | 目次
skip: Skip to content, Skip navigation, Jump to text | Zum Inhalt | Aller au contenu | Saltar al contenido | К содержанию | 本文へ
cookies: We use cookies, This site keeps cookies | Wir verwenden Cookies | Nous utilisons des cookies | Usamos cookies | Мы используем файлы | クッキーについて
accept: Accept, Fine, Agree | Einverstanden | Accepter | Aceptar | Принять | 同意する
more: More, Read on, Details, Full text | Mehr, Weiterlesen | Lire la suite, Plus | Leer más, Más | Подробнее | 続きを読む
related: Related, See also, You may also like, Others read | Siehe auch, Verwandtes | Voir aussi | Véase también | См. также | 関連
mostread: Most read, Popular, Trending | Meistgelesen | Les plus lus | Lo más leído | Популярное | 人気記事
tags: Tags, Topics, Keywords | Schlagworte, Themen | Thèmes | Etiquetas | Метки | タグ
archive: Archive, Back issues, Past years | Archiv | Archives | Archivo | Архив | アーカイブ
part: Part, Chapter, Page | Teil, Kapitel | Partie | Parte | Часть | 第
section: Section, Unit, Topic | Abschnitt, Thema | Section | Sección | Раздел | 節
version: Version, Release, Edition | Version, Ausgabe | Version | Versión | Версия | 版
all: All, View all, Everything in | Alle | Tout voir | Ver todo | Все | すべて
share: Share, Follow us, Social | Teilen | Partager | Compartir | Поделиться | 共有
advert: Advertisement, Sponsored, Promotion | Anzeige | Publicité | Publicidad | Реклама | 広告
print: Print this page, Print | Drucken | Imprimer | Imprimir | Печать | 印刷
tutorial: Tutorial, Getting started, First steps | Einstieg, Erste Schritte | Premiers pas | Primeros pasos | Учебник | 入門
reference: Reference, API reference, Lookup | Referenz | Référence | Referencia | Справочник | リファレンス
howto: How-to guides, Recipes, Cookbook | Anleitungen, Rezepte | Recettes | Recetas | Рецепты | レシピ
install: Installation, Installing, Set-up | Einrichten | Installation | Instalación | Установка | インストール
changes: Changes, Release notes, Changelog | Änderungen | Nouveautés | Cambios | Изменения | 変更点
offers: Offers, Sale, Deals, Reduced | Angebote | Promotions, Soldes | Ofertas | Скидки | セール
newin: New in, New arrivals, Just landed | Neuheiten | Nouveautés | Novedades | Новинки | 新着
overview: Overview, Summary, At a glance | Überblick | Aperçu | Resumen | Обзор | 概要
specs: Specification, Details, Data | Daten, Einzelheiten | Caractéristiques | Características | Характеристики | 仕様
reviews: Reviews, Ratings, Opinions | Bewertungen | Avis | Opiniones | Отзывы | 口コミ
random: Random page, Surprise me | Zufall | Au hasard | Al azar | Случайная | おまかせ表示
recent: Recent changes, What changed | Letzte Änderungen | Modifications récentes | Cambios recientes | Свежие правки | 最近の更新
categories: Categories, Filed under | Kategorien | Catégories | Categorías | Категории | カテゴリ
chapters: Chapters, Local groups, Branches | Ortsgruppen | Groupes locaux | Grupos locales | Отделения | 支部
give: Donate, Give, Support our work | Spenden | Donner | Donar | Пожертвовать | 寄付
meet: Meetings, Meet us, Where we meet | Treffen | Réunions | Reuniones | Встречи | 集会
resources: Resources, Material, Library | Material | Ressources | Recursos | Ресурсы | 資料
volunteer: Volunteer, Take part, Lend a hand | Mitmachen | Participer | Participa | Участвовать | 参加する
research: Research, Our research | Forschung | Recherche | Investigación | Исследования | 研究
"""

# attribute: wordings in en | de | fr | es | ru | ja
_ATTRIBUTES = """
price: Price, Our price, Cost, Price incl. tax | Preis | Prix | Precio | Цена | 価格
brand: Brand, Maker, Made by | Marke, Hersteller | Marque | Marca | Марка | ブランド
colour: Colour, Color, Shade | Farbe | Couleur | Color | Цвет | 色
material: Material, Fabric, Made of | Material | Matière | Material | Материал | 素材
weight: Weight, Item weight | Gewicht | Poids | Peso | Вес | 重さ
size: Size, Dimensions, Measures | Größe, Maße | Dimensions, Taille | Tamaño | Размер | 寸法
code: Item no., Product code, Article number, SKU | Artikelnummer | Référence | Referencia | Артикул | 商品番号
stock: Availability, In stock, Delivery time | Verfügbarkeit | Disponibilité | Disponibilidad | Наличие | 在庫
warranty: Warranty, Guarantee | Garantie | Garantie | Garantía | Гарантия | 保証
author: By, Author, Written by | Von, Autor | Par, Auteur | Por, Autor | Автор | 著者
date: Date, Published, Posted on | Datum, Erschienen | Date, Publié le | Fecha, Publicado | Дата | 日付
place: Place, Dateline, Location | Ort | Lieu | Lugar | Место | 場所
address: Address, Where | Adresse, Anschrift | Adresse | Dirección | Адрес | 住所
phone: Telephone, Phone, Tel. | Telefon | Téléphone | Teléfono | Телефон | 電話
rooms: Rooms, Number of rooms | Zimmer | Chambres | Habitaciones | Номера | 客室数
stars: Class, Stars, Category | Klasse | Catégorie | Categoría | Класс | 等級
checkin: Check-in, Arrival from | Anreise | Arrivée | Entrada | Заезд | 到着
rate: Rate per night, From, Nightly rate | Preis pro Nacht | Prix par nuit | Precio por noche | Цена за ночь | 一泊料金
distance: Distance to centre, To the centre | Entfernung zum Zentrum | Distance du centre | Distancia al centro | До центра | 中心からの距離
credits: Credits, Credit points, ECTS | Leistungspunkte | Crédits | Créditos | Кредиты | 単位
lecturer: Lecturer, Taught by, Instructor | Dozent, Lehrperson | Enseignant | Profesor | Преподаватель | 担当
term: Term, Semester, Offered in | Semester | Semestre | Semestre | Семестр | 学期
room: Room, Venue, Held in | Raum | Salle | Aula | Аудитория | 教室
office: Office, Room number | Büro | Bureau | Despacho | Кабинет | 研究室
email: Email, E-mail, Write to | E-Mail | Courriel | Correo | Почта | メール
field: Field, Research interests, Works on | Fachgebiet | Domaine | Área | Область | 専門
position: Position, Title, Role | Stellung | Fonction | Cargo | Должность | 職位
licence: Licence, License, Terms | Lizenz | Licence | Licencia | Лицензия | 許諾
since: Since, Introduced in, Available since | Seit | Depuis | Desde | Начиная с | 導入
default: Default, Default value | Vorgabe | Par défaut | Por defecto | По умолчанию | 既定値
type: Type, Kind, Value type | Typ, Art | Type | Tipo | Тип | 種類
population: Population, Inhabitants | Einwohner | Population | Población | Население | 人口
area: Area, Surface | Fläche | Superficie | Superficie | Площадь | 面積
founded: Founded, Established | Gegründet | Fondé en | Fundado | Основан | 設立
height: Height, Elevation | Höhe | Altitude | Altitud | Высота | 高さ
"""

_LANGUAGE_NAMES = {
    "en": ("English", "EN", "In English"),
    "de": ("Deutsch", "DE", "Auf Deutsch"),
    "fr": ("Français", "FR", "En français"),
    "es": ("Español", "ES", "En español"),
    "ru": ("Русский", "RU", "По-русски"),
    "ja": ("日本語", "JA", "日本語で"),
}

FIRST_NAMES = [
    "Ada",
    "Alma",
    "Anton",
    "Benno",
    "Carla",
    "Cem",
    "Dana",
    "Edda",
    "Emil",
    "Fay",
    "Femke",
    "Goran",
    "Hana",
    "Ida",
    "Ines",
    "Ivo",
    "Jaro",
    "Joan",
    "Kaito",
    "Karl",
    "Lena",
    "Leo",
    "Lise",
    "Mads",
    "Maia",
    "Marek",
    "Mina",
    "Nadia",
    "Nils",
    "Nora",
    "Olga",
    "Omar",
    "Otto",
    "Pavel",
    "Pia",
    "Quentin",
    "Rafa",
    "Rhea",
    "Rosa",
    "Sami",
    "Saskia",
    "Selma",
    "Sven",
    "Tariq",
    "Tess",
    "Tilda",
    "Uma",
    "Vera",
    "Viktor",
    "Wanda",
    "Wim",
    "Xenia",
    "Yara",
    "Yuki",
    "Zeno",
    "Zora",
]

LAST_NAMES = [
    "Abel",
    "Adler",
    "Aalto",
    "Berg",
    "Bloch",
    "Brandt",
    "Castell",
    "Cerny",
    "Dahl",
    "Doyle",
    "Ekman",
    "Engel",
    "Falk",
    "Farro",
    "Grau",
    "Greco",
    "Hale",
    "Hirano",
    "Holm",
    "Ilves",
    "Jansen",
    "Jonas",
    "Kern",
    "Kovac",
    "Kuhn",
    "Lang",
    "Lindqvist",
    "Lowe",
    "Maron",
    "Mello",
    "Moreau",
    "Nagy",
    "Neri",
    "Novak",
    "Oduya",
    "Ortega",
    "Pahl",
    "Petrov",
    "Quist",
    "Rask",
    "Reyes",
    "Roth",
    "Sato",
    "Seidel",
    "Sorel",
    "Takeda",
    "Tamm",
    "Thorne",
    "Ulman",
    "Varga",
    "Vogel",
    "Voss",
    "Weiss",
    "Wilde",
    "Yilmaz",
    "Zander",
]

SYLLABLES = [
    "ba",
    "bel",
    "bo",
    "bri",
    "ca",
    "cel",
    "cor",
    "da",
    "del",
    "dor",
    "dra",
    "el",
    "en",
    "fa",
    "fen",
    "fi",
    "flo",
    "gal",
    "gar",
    "gen",
    "gi",
    "hal",
    "har",
    "hel",
    "il",
    "in",
    "ja",
    "jor",
    "ka",
    "kel",
    "ki",
    "kor",
    "la",
    "len",
    "li",
    "lo",
    "lum",
    "ma",
    "mar",
    "mel",
    "mi",
    "mo",
    "na",
    "nel",
    "ni",
    "nor",
    "o",
    "or",
    "pa",
    "per",
    "pi",
    "pol",
    "quo",
    "ra",
    "ren",
    "ri",
    "ro",
    "sa",
    "sel",
    "si",
    "sol",
    "sta",
    "ta",
    "tel",
    "ti",
    "tor",
    "tri",
    "u",
    "ul",
    "va",
    "vel",
    "vi",
    "vo",
    "wa",
    "wen",
    "wi",
    "xa",
    "yor",
    "za",
    "zel",
    "zi",
    "zu",
]


@cache
def _parse(text: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    table: dict[str, tuple[tuple[str, ...], ...]] = {}
    for line in text.strip().splitlines():
        key, _, rest = line.partition(": ")
        columns = [tuple(word.strip() for word in column.split(",")) for column in rest.split("|")]
        table[key] = tuple(columns)
    return table


def interface_labels(key: str, language: str) -> tuple[str, ...]:
    """Return the wordings of an interface label in a language."""
    return _parse(_INTERFACE)[key][LANGUAGES.index(language)]


def attribute_labels(key: str, language: str) -> tuple[str, ...]:
    """Return the wordings of an attribute label in a language."""
    return _parse(_ATTRIBUTES)[key][LANGUAGES.index(language)]


def language_name(language: str, style: int) -> str:
    """Return how a language switch names a language, in one of three styles."""
    return _LANGUAGE_NAMES[language][style]
