# ruff: noqa: E501 - one concept a line, however many wordings it has
"""What the sites of the sample web are about: concept outlines with synonyms, per domain.

An outline line is ``key: en wordings | de | fr | es | ru | ja``; indentation is broader/narrower. A site takes a random
part of an outline and one wording of each concept, which is what gives overlapping taxonomies with synonyms.
"""

from dataclasses import dataclass, field
from functools import cache

from sitestrata.sample.vocabulary import LANGUAGES

__all__ = ["DOMAINS", "Concept", "Domain", "concept_name", "domain"]


@dataclass(slots=True)
class Concept:
    """One concept of a domain with its wordings per language."""

    key: str
    labels: dict[str, tuple[str, ...]]
    children: list["Concept"] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the name the truth uses: the first English wording."""
        return self.labels["en"][0]


@dataclass(frozen=True, slots=True)
class Domain:
    """An outline, and which attributes the records of its concepts have."""

    name: str
    concepts: tuple[Concept, ...]
    facets: tuple[Concept, ...]  # may stand above or below the categories
    attributes: tuple[str, ...]
    languages: tuple[str, ...]


_FASHION = """
tops: Tops, Upper wear | Oberteile | Hauts | Partes de arriba
  shirts: Shirts, Button-downs | Hemden | Chemises | Camisas
  tees: T-shirts, Tees | T-Shirts | Tee-shirts | Camisetas
  knit: Knitwear, Sweaters, Jumpers | Strick, Pullover | Mailles, Pulls | Jerséis
  blouses: Blouses | Blusen | Blouses | Blusas
bottoms: Bottoms, Legwear | Hosen & Röcke | Bas | Partes de abajo
  trousers: Trousers, Pants, Slacks | Hosen | Pantalons | Pantalones
  jeans: Jeans, Denim | Jeans | Jeans | Vaqueros
  shorts: Shorts | Kurze Hosen | Shorts | Pantalones cortos
  skirts: Skirts | Röcke | Jupes | Faldas
outer: Outerwear, Coats & jackets | Jacken & Mäntel | Manteaux | Abrigos
  coats: Coats, Overcoats | Mäntel | Manteaux longs | Abrigos largos
  jackets: Jackets, Blazers | Jacken | Vestes | Chaquetas
  rain: Rainwear, Waterproofs | Regenkleidung | Imperméables | Impermeables
shoes: Shoes, Footwear | Schuhe | Chaussures | Zapatos, Calzado
  boots: Boots | Stiefel | Bottes | Botas
  trainers: Trainers, Sneakers | Turnschuhe | Baskets | Zapatillas
  sandals: Sandals | Sandalen | Sandales | Sandalias
  slippers: Slippers, House shoes | Hausschuhe | Chaussons | Pantuflas
accessories: Accessories, Extras | Accessoires, Zubehör | Accessoires | Complementos
  bags: Bags, Handbags | Taschen | Sacs | Bolsos
  belts: Belts | Gürtel | Ceintures | Cinturones
  hats: Hats, Headwear | Hüte & Mützen | Chapeaux | Sombreros
  scarves: Scarves, Wraps | Schals | Écharpes | Bufandas
  jewellery: Jewellery, Jewelry | Schmuck | Bijoux | Joyas
sportswear: Sportswear, Activewear | Sportkleidung | Sport | Ropa deportiva
  running: Running, Jogging | Laufen | Course à pied | Correr
  swim: Swimwear, Beachwear | Bademode | Maillots de bain | Bañadores
  yoga: Yoga, Studio | Yoga | Yoga | Yoga
"""
_FASHION_FACETS = """
men: Men, Menswear, For him, Gentlemen | Herren, Männer | Homme, Hommes | Hombre, Caballero
women: Women, Womenswear, For her, Ladies | Damen, Frauen | Femme, Femmes | Mujer, Señora
kids: Kids, Children, Juniors | Kinder | Enfants, Enfant | Niños
"""
_ELECTRONICS = """
computers: Computers, Computing, PCs | Computer, Rechner | Ordinateurs, Informatique | Ordenadores, Informática
  laptops: Laptops, Notebooks | Notebooks, Laptops | Portables | Portátiles
  desktops: Desktops, Desktop computers | Tischrechner | Fixes, Unités centrales | Sobremesa
  tablets: Tablets, Slates | Tablets | Tablettes | Tabletas
  monitors: Monitors, Screens, Displays | Bildschirme, Monitore | Écrans | Pantallas, Monitores
  storage: Storage, Drives & disks | Speicher | Stockage | Almacenamiento
phones: Phones, Mobile phones, Cell phones | Telefone, Handys | Téléphones, Mobiles | Teléfonos, Móviles
  smartphones: Smartphones, Smart phones | Smartphones | Mobiles tactiles | Teléfonos inteligentes
  cases: Cases & covers, Phone cases | Hüllen | Coques | Fundas
  chargers: Chargers, Power supplies | Ladegeräte | Chargeurs | Cargadores
audio: Audio, Sound, Hi-fi | Ton, Hifi | Son, Audio | Sonido, Audio
  headphones: Headphones, Earphones | Kopfhörer | Casques, Écouteurs | Auriculares
  speakers: Speakers, Loudspeakers | Lautsprecher, Boxen | Enceintes | Altavoces
  radios: Radios, Tuners | Radios | Radios | Radios
  turntables: Turntables, Record players | Plattenspieler | Platines | Tocadiscos
tv: Television, TV & video | Fernsehen | Télévision, TV | Televisión
  tvsets: TV sets, Televisions | Fernseher | Téléviseurs | Televisores
  projectors: Projectors, Beamers | Projektoren | Projecteurs | Proyectores
  recorders: Recorders, Players | Rekorder | Enregistreurs | Grabadoras
cameras: Cameras, Photography | Kameras, Foto | Photo, Appareils photo | Cámaras, Fotografía
  lenses: Lenses, Objectives | Objektive | Objectifs | Objetivos
  compact: Compact cameras, Pocket cameras | Kompaktkameras | Compacts | Compactas
  tripods: Tripods, Stands | Stative | Trépieds | Trípodes
household: Household, Home appliances, White goods | Haushalt, Hausgeräte | Électroménager, Maison | Hogar, Electrodomésticos
  fridges: Fridges, Refrigerators | Kühlschränke | Réfrigérateurs | Frigoríficos, Neveras
  washers: Washing machines, Washers | Waschmaschinen | Lave-linge | Lavadoras
  cookers: Cookers, Ovens, Stoves | Herde | Cuisinières, Fours | Cocinas, Hornos
  vacuums: Vacuum cleaners, Hoovers | Staubsauger | Aspirateurs | Aspiradoras
"""
_ELECTRONICS_FACETS = """
business: Business, For work, Office | Büro, Gewerbe | Professionnels, Bureau | Empresas, Oficina
gaming: Gaming, For players | Spielen | Jeux | Juegos
refurbished: Refurbished, Second life, Renewed | Gebraucht, Überholt | Reconditionné | Reacondicionado
"""
_NEWS = """
world: World, International, Abroad | Welt, Ausland | Monde, International | Mundo, Internacional | Мир, В мире | 国際, 世界
  europe: Europe | Europa | Europe | Europa | Европа | 欧州
  asia: Asia, Asia Pacific | Asien | Asie | Asia | Азия | アジア
  africa: Africa | Afrika | Afrique | África | Африка | アフリカ
  americas: Americas, The Americas | Amerika | Amériques | América | Америка | 米州
  mideast: Middle East | Naher Osten | Proche-Orient | Oriente Medio | Ближний Восток | 中東
politics: Politics, Government | Politik | Politique | Política | Политика | 政治
  elections: Elections, Vote | Wahlen | Élections | Elecciones | Выборы | 選挙
  parliament: Parliament, Assembly | Parlament | Parlement | Parlamento | Парламент | 議会
business: Business, Economy, Money | Wirtschaft | Économie | Economía | Экономика, Бизнес | 経済
  markets: Markets, Stocks, Market data | Märkte, Börse | Marchés, Bourse | Mercados, Bolsa | Рынки | 市場
  companies: Companies, Corporate | Unternehmen | Entreprises | Empresas | Компании | 企業
  property: Property, Real estate, Housing | Immobilien | Immobilier | Vivienda | Недвижимость | 不動産
  labour: Work, Jobs & labour | Arbeit | Travail | Trabajo | Труд | 労働
sport: Sport, Sports | Sport | Sports | Deportes | Спорт | スポーツ
  football: Football, Soccer | Fußball | Football | Fútbol | Футбол | サッカー
  tennis: Tennis | Tennis | Tennis | Tenis | Теннис | テニス
  cycling: Cycling, Bikes | Radsport | Cyclisme | Ciclismo | Велоспорт | 自転車
  athletics: Athletics, Track and field | Leichtathletik | Athlétisme | Atletismo | Атлетика | 陸上
  motor: Motor sport, Racing | Motorsport | Auto-moto | Motor | Автоспорт | モーター
science: Science, Science & nature | Wissenschaft, Wissen | Sciences | Ciencia | Наука | 科学
  space: Space, Astronomy | Weltraum | Espace | Espacio | Космос | 宇宙
  climate: Climate, Environment | Klima, Umwelt | Climat, Environnement | Clima, Medio ambiente | Климат | 環境
  health: Health, Medicine | Gesundheit | Santé | Salud | Здоровье | 医療, 健康
technology: Technology, Tech | Technik, Digital | Technologie, Numérique | Tecnología | Технологии | 技術
  internet: Internet, The net | Netz | Internet | Internet | Интернет | ネット
  gadgets: Gadgets, Devices | Geräte | Appareils | Aparatos | Гаджеты | 機器
culture: Culture, Arts | Kultur | Culture | Cultura | Культура | 文化
  books: Books, Literature | Bücher, Literatur | Livres | Libros | Книги | 本
  film: Film, Movies, Cinema | Film, Kino | Cinéma | Cine | Кино | 映画
  music: Music, Sounds | Musik | Musique | Música | Музыка | 音楽
  stage: Theatre, Stage | Bühne, Theater | Théâtre, Scène | Teatro | Театр | 演劇
opinion: Opinion, Comment, Views | Meinung | Opinions, Idées | Opinión | Мнения | 社説, 意見
  letters: Letters, From our readers | Leserbriefe | Courrier | Cartas | Письма | 投書
  editorials: Editorials, Leaders | Leitartikel | Éditoriaux | Editoriales | Редакция | 論説
life: Life, Lifestyle, Living | Leben, Gesellschaft | Vie, Société | Vida, Sociedad | Жизнь, Общество | 暮らし
  food: Food, Cooking, Recipes | Essen, Küche | Cuisine | Cocina | Еда | 料理
  travelling: Travel, Journeys | Reise | Voyage | Viajes | Путешествия | 旅行
  family: Family, Parents | Familie | Famille | Familia | Семья | 家族
"""
_TRAVEL = """
europe: Europe, European breaks | Europa | Europe | Europa
  italy: Italy | Italien | Italie | Italia
  spain: Spain | Spanien | Espagne | España
  norway: Norway | Norwegen | Norvège | Noruega
  greece: Greece, Greek islands | Griechenland | Grèce | Grecia
  portugal: Portugal | Portugal | Portugal | Portugal
asia: Asia, Far East | Asien, Fernost | Asie | Asia
  japan: Japan | Japan | Japon | Japón
  thailand: Thailand | Thailand | Thaïlande | Tailandia
  india: India | Indien | Inde | India
  vietnam: Vietnam | Vietnam | Viêt Nam | Vietnam
africa: Africa | Afrika | Afrique | África
  morocco: Morocco | Marokko | Maroc | Marruecos
  kenya: Kenya | Kenia | Kenya | Kenia
  egypt: Egypt | Ägypten | Égypte | Egipto
americas: Americas, New World | Amerika | Amériques | América
  mexico: Mexico | Mexiko | Mexique | México
  peru: Peru | Peru | Pérou | Perú
  canada: Canada | Kanada | Canada | Canadá
stay: Accommodation, Places to stay, Where to stay | Unterkunft, Übernachten | Hébergement, Où dormir | Alojamiento, Dónde dormir
  hotels: Hotels | Hotels | Hôtels | Hoteles
  hostels: Hostels, Youth hostels | Herbergen | Auberges | Albergues
  cottages: Cottages, Holiday homes, Self-catering | Ferienhäuser | Gîtes, Locations | Casas rurales
  camping: Camping, Campsites | Camping, Zeltplätze | Campings | Acampada
transport: Getting around, Transport | Verkehr, Unterwegs | Transports, Se déplacer | Transporte, Cómo moverse
  flights: Flights, Air tickets | Flüge | Vols | Vuelos
  trains: Trains, Rail | Bahn, Züge | Trains | Trenes
  cars: Car hire, Car rental | Mietwagen | Location de voitures | Alquiler de coches
  ferries: Ferries, Boats | Fähren | Ferries, Bateaux | Transbordadores
activities: Things to do, Activities | Aktivitäten, Erleben | Activités, À faire | Actividades, Qué hacer
  walking: Walking, Hiking | Wandern | Randonnée, Marche | Senderismo
  diving: Diving, Scuba | Tauchen | Plongée | Buceo
  museums: Museums, Galleries | Museen | Musées | Museos
  skiing: Skiing, Winter sports | Ski, Wintersport | Ski, Sports d'hiver | Esquí
"""
_UNIVERSITY = """
study: Study, Studying here, Courses & study | Studium, Studieren | Études, Formation | Estudios, Estudiar
  undergraduate: Undergraduate, Bachelor's degrees, First degrees | Bachelor, Grundstudium | Licence | Grado
  postgraduate: Postgraduate, Graduate study, Master's degrees | Master, Aufbaustudium | Master | Posgrado
  doctoral: Doctoral study, PhD | Promotion | Doctorat | Doctorado
  courses: Courses, Modules, Classes | Veranstaltungen, Module | Cours | Cursos, Asignaturas
  exams: Examinations, Exams | Prüfungen | Examens | Exámenes
admissions: Admissions, Applying, How to apply | Bewerbung, Zulassung | Admissions, Candidater | Admisión
  fees: Fees, Tuition, Costs | Gebühren, Kosten | Frais, Droits | Tasas
  scholarships: Scholarships, Grants, Financial aid | Stipendien | Bourses | Becas
  opendays: Open days, Visit us | Tage der offenen Tür | Journées portes ouvertes | Puertas abiertas
research: Research, Scholarship & research | Forschung | Recherche | Investigación
  institutes: Institutes, Research centres, Labs | Institute, Zentren | Laboratoires, Instituts | Institutos, Centros
  publications: Publications, Papers | Veröffentlichungen | Publications | Publicaciones
  funding: Research funding, Research grants | Förderung, Drittmittel | Financement | Financiación
campus: Campus life, Student life, Life here | Leben, Campus | Vie étudiante, Campus | Vida universitaria, Campus
  housing: Housing, Halls of residence | Wohnen, Wohnheime | Logement | Residencias
  sports: Sports, Sport & fitness | Hochschulsport | Sport | Deportes
  societies: Societies, Clubs, Student groups | Gruppen, Vereine | Associations | Asociaciones
  dining: Dining, Canteens, Food | Mensa, Essen | Restauration | Comedores
people: People, Staff directory, Faculty & staff | Personen, Beschäftigte | Personnel, Annuaire | Personal, Directorio
  professors: Professors, Faculty, Academic staff | Professuren | Professeurs, Enseignants | Profesorado
  administration: Administration, Offices | Verwaltung | Administration | Administración
library: Library, Libraries, Collections | Bibliothek | Bibliothèque | Biblioteca
  catalogue: Catalogue, Catalog, Find books | Katalog | Catalogue | Catálogo
  loans: Borrowing, Loans | Ausleihe | Prêt | Préstamo
"""
_SOFTWARE = """
guide: User guide, Guide, Manual | Handbuch, Anleitung | Guide, Manuel | Guía, Manual | Руководство | ガイド
  installation: Installation, Installing, Set-up | Einrichtung, Installation | Installation | Instalación | Установка | インストール
  configuration: Configuration, Settings, Options | Einstellungen, Konfiguration | Configuration, Réglages | Configuración | Настройка | 設定
  upgrading: Upgrading, Migration | Umstieg, Aktualisieren | Mise à jour, Migration | Actualización | Обновление | 更新
  security: Security, Hardening | Sicherheit | Sécurité | Seguridad | Безопасность | 安全
tutorials: Tutorials, Learn, First steps | Lernen, Einstieg | Tutoriels, Apprendre | Tutoriales, Aprender | Уроки | チュートリアル
  quickstart: Quick start, In five minutes | Schnellstart | Démarrage rapide | Inicio rápido | Быстрый старт | 早わかり
  examples: Examples, Samples, Demos | Beispiele | Exemples | Ejemplos | Примеры | 例
reference: Reference, API, Look-up | Referenz, Nachschlagen | Référence, API | Referencia | Справочник | リファレンス
  commands: Commands, Command line, CLI | Befehle, Kommandozeile | Commandes, Ligne de commande | Órdenes | Команды | コマンド
  functions: Functions, Routines | Funktionen | Fonctions | Funciones | Функции | 関数
  errors: Errors, Messages | Fehler, Meldungen | Erreurs, Messages | Errores, Mensajes | Ошибки | エラー
  formats: File formats, Formats | Dateiformate | Formats | Formatos | Форматы | 形式
development: Development, Contributing, Get involved | Entwicklung, Mitwirken | Développement, Contribuer | Desarrollo, Contribuir | Разработка | 開発
  building: Building, Compiling | Bauen, Übersetzen | Compilation | Compilación | Сборка | ビルド
  testing: Testing, Tests | Testen | Tests | Pruebas | Тесты | テスト
  internals: Internals, Architecture, Design | Aufbau, Architektur | Architecture | Arquitectura | Устройство | 内部構造
"""


@cache
def _outline(text: str) -> tuple[Concept, ...]:
    roots: list[Concept] = []
    path: list[Concept] = []
    for line in text.strip("\n").splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        key, _, rest = line.strip().partition(": ")
        labels: dict[str, tuple[str, ...]] = {}
        for language, column in zip(LANGUAGES, rest.split("|"), strict=False):
            labels[language] = tuple(word.strip() for word in column.split(","))
        concept = Concept(key, labels)
        del path[depth:]
        (path[-1].children if path else roots).append(concept)
        path.append(concept)
    return tuple(roots)


_WEST = ("en", "de", "fr", "es")
DOMAINS = ("fashion", "electronics", "news", "travel", "university", "software")


@cache
def domain(name: str) -> Domain:
    """Return a domain by its name."""
    goods: tuple[str, ...]
    if name == "fashion":
        goods = ("price", "brand", "colour", "material", "size", "code", "stock")
        return Domain(name, _outline(_FASHION), _outline(_FASHION_FACETS), goods, _WEST)
    if name == "electronics":
        goods = ("price", "brand", "weight", "size", "code", "stock", "warranty", "colour")
        return Domain(name, _outline(_ELECTRONICS), _outline(_ELECTRONICS_FACETS), goods, _WEST)
    if name == "news":
        return Domain(name, _outline(_NEWS), (), ("author", "date", "place"), LANGUAGES)
    if name == "travel":
        stay = ("rate", "stars", "rooms", "address", "phone", "checkin", "distance")
        return Domain(name, _outline(_TRAVEL), (), stay, _WEST)
    if name == "university":
        course = ("credits", "lecturer", "term", "room", "code", "email")
        return Domain(name, _outline(_UNIVERSITY), (), course, _WEST)
    if name == "software":
        return Domain(name, _outline(_SOFTWARE), (), ("type", "default", "since", "licence"), LANGUAGES)
    raise KeyError(name)


@cache
def _concept_names(name: str) -> dict[str, str]:
    names: dict[str, str] = {}
    stack = [*domain(name).concepts, *domain(name).facets]
    while stack:
        concept = stack.pop()
        names[concept.key] = concept.name
        stack.extend(concept.children)
    return names


def concept_name(domain_name: str, key: str) -> str:
    """Return the name of a concept of a domain by its key."""
    return _concept_names(domain_name)[key]
