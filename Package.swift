// swift-tools-version: 6.3
import PackageDescription

// Set by Resources/fuzz: our own targets are then built for libFuzzer, optimised but with every check.
let isFuzzing = Context.environment["REDDOT_FUZZING"] != nil
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
  + (isFuzzing
    ? [.unsafeFlags(["-O", "-assert-config", "Debug", "-sanitize=fuzzer"])]
    // Generic types are made by a call instead of by their names: looking up by name what each type conforms to takes a
    // fifth of the time of a start.
    : [
      .unsafeFlags(
        ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
        .when(configuration: .release))
    ])

// What goes through every cell of a screen, or every byte of what is read: unoptimised, a third of the time of all tests would be
// spent there.
let optimised = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Set by Resources/package-deb: the commit that `reddot --version` names. Asking git in each build would link the program
// anew after each commit.
let commit: [CSetting] =
  Context.environment["REDDOT_COMMIT"].map { [.define("REDDOT_COMMIT", to: "\"\($0)\"")] } ?? []

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let webSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let tomlKit = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

// The arrows of the architecture page (Sources/reddot/Documentation.docc/Architecture.md) point
// only downwards; LayeringTests compares every import with them.
let package = Package(
  name: "reddot",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "reddot", targets: ["reddot"]),
    // A program of its own: libpq costs 6 ms of a start.
    .executable(name: "reddot-postgresql", targets: ["PostgreSQLProgram"]),
    // The publisher's side, which the terminal program has nothing of.
    .executable(name: "reddot-hub", targets: ["HubProgram"]),
    .executable(name: "reddot-benchmark", targets: ["Benchmarks"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.45.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CNcurses",
      providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .systemLibrary(
      name: "CXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    // Debian's package has no pkg-config file of this name everywhere; the module map names the library.
    .systemLibrary(
      name: "CDuktape", providers: [.apt(["duktape-dev"]), .brew(["duktape"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CMD4C", pkgConfig: "md4c", providers: [.apt(["libmd4c-dev"]), .brew(["md4c"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // libc's own; there is nothing to install.
    .systemLibrary(name: "CWidth"),
    .systemLibrary(name: "CThreads"),

    // Opens libcurl when the first request is made; only its headers are needed to build.
    .target(name: "CCurl"),
    // Embeds the interface's words, three tables, the manual's pages and the name of the commit; a change of one of them
    // builds only this anew.
    .target(name: "CWords", cSettings: commit),

    .target(name: "Limits", swiftSettings: strict),
    .target(name: "Dates", dependencies: ["CWords", "Limits"], swiftSettings: strict),
    .target(name: "Threads", dependencies: ["CThreads"], swiftSettings: strict),
    .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: strict),
    .target(name: "Digests", dependencies: ["CNettle", "Limits"], swiftSettings: strict),
    .target(name: "Messages", dependencies: ["Dates", "Digests", "Limits"], swiftSettings: strict),
    .target(name: "Marks", swiftSettings: strict),
    .target(name: "Sync", dependencies: ["CNettle", "Deflate", "Digests", "Limits"], swiftSettings: strict),
    .target(
      name: "Places", dependencies: ["CThreads", "Files", "Limits", "Programs", "Sync"], swiftSettings: strict
    ),
    .target(name: "PostgreSQL", dependencies: ["CPQ", "Limits", "Programs"], swiftSettings: strict),
    .target(
      name: "HTTPPlace", dependencies: ["Formats", "Limits", "Places", "Programs", "Sync", "Transport"],
      swiftSettings: strict),
    .target(
      name: "PostgreSQLPlace", dependencies: ["Limits", "Places", "PostgreSQL", "Programs", "Sync"],
      swiftSettings: strict),
    .executableTarget(
      name: "PostgreSQLProgram", dependencies: ["CPQ", "Places", "PostgreSQLPlace"], swiftSettings: strict),
    .target(name: "Screen", dependencies: ["CWidth", "Limits"], swiftSettings: optimised),
    .target(name: "HTML", dependencies: ["CWords", "CXML2", "Limits"], swiftSettings: strict),
    .target(name: "Files", dependencies: ["Limits"], swiftSettings: strict),
    .target(name: "Programs", dependencies: ["CThreads", "Limits", "Threads"], swiftSettings: strict),
    .target(name: "Formats", dependencies: ["CXML2", "Dates", "HTML", "Limits"], swiftSettings: optimised),
    .target(
      name: "Markup", dependencies: ["CMD4C", "HTML", "Limits", "Screen"], swiftSettings: strict),
    .target(
      name: "Transport",
      dependencies: ["CBrotli", "CCurl", "CZstd", "Dates", "Deflate", "Digests", "Limits", "Threads"],
      swiftSettings: strict),
    .target(
      name: "Services",
      dependencies: [
        "CWords", "Calendars", "Dates", "Digests", "Formats", "Limits", "Markup", "Programs", "Threads",
        "Transport", "Messages",
      ],
      swiftSettings: strict),
    .target(name: "Queries", dependencies: ["Dates", "Limits", "Messages"], swiftSettings: optimised),
    .target(
      name: "Storage",
      dependencies: [
        "Dates", "Digests", "Limits", "Marks", "Messages", "Queries", "Sync", "Threads", "CSQLite", grdb,
      ],
      swiftSettings: strict),
    .target(name: "Rules", dependencies: ["Dates", "Limits", "Messages", "Queries"], swiftSettings: strict),
    .target(
      name: "Notices", dependencies: ["Dates", "Deflate", "Limits", "Messages", "Queries"],
      swiftSettings: strict),
    .target(name: "Polling", dependencies: ["Dates", "Limits", "Messages"], swiftSettings: strict),
    .target(
      name: "Banners", dependencies: ["Formats", "Limits", "Markup", "Messages", "Programs", "CDuktape"],
      swiftSettings: strict),
    .target(name: "Schedules", dependencies: ["Dates", "Limits", "Messages"], swiftSettings: strict),
    .target(name: "Calendars", dependencies: ["Dates", "Digests", "Limits"], swiftSettings: strict),
    .target(
      name: "Interface",
      dependencies: ["Dates", "Limits", "Screen", "Markup", "Messages", "Queries", "Rules"],
      swiftSettings: strict),
    .target(
      name: "Translations", dependencies: ["CWords", "Formats", "Interface"], swiftSettings: strict),
    .target(
      name: "Terminal", dependencies: ["Limits", "Screen", "Threads", "CNcurses", "CWidth"],
      swiftSettings: strict),
    .target(
      name: "Platform",
      dependencies: [
        "Files", "Dates", "Formats", "Interface", "Limits", logging, "Markup", "Programs", "Screen",
      ],
      swiftSettings: strict),
    .target(name: "TOML", dependencies: ["Limits", tomlKit], swiftSettings: strict),
    .target(
      name: "Settings",
      dependencies: [
        "Dates", "Digests", "Files", "Formats", "Interface", "Limits", "Messages", "Notices", "Places",
        "Platform", "Programs",
        "Queries", "Rules", "Schedules", "Screen", "Services", "Storage", "TOML", "Transport", tomlKit,
      ],
      swiftSettings: strict),
    .target(
      name: "Workspace",
      dependencies: [
        "Dates", "Files", "Formats", "Interface", "Limits", "Messages", "Notices", "Platform", "Queries",
        "Rules",
        "Schedules", "Screen", "Settings", "Storage", "Translations", "Transport",
      ],
      swiftSettings: strict),
    .target(
      name: "Reports",
      dependencies: [
        "Files", "Dates", "Formats", "Interface", "Limits", "Messages", "Platform", "Polling", "Programs",
        "Queries", "Rules", "Screen", "Settings", "Storage", "Transport", "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "Pictures",
      dependencies: ["Interface", "Limits", "Messages", "Programs", "Screen", "Services", "Transport"],
      swiftSettings: strict),
    .target(
      name: "Rounds",
      dependencies: [
        "Calendars", "Files", "Dates", "Digests", "Formats", "HTTPPlace", "Interface", "Limits", logging,
        "Marks",
        "Markup",
        "Messages", "NoticeDelivery", "Places", "Platform", "Polling", "Programs", "Reports", "Schedules",
        "Screen", "Services",
        "Settings", "Storage", "Sync", "Threads", "Translations", "Transport", "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "Stage",
      dependencies: [
        "Files", "Banners", "Dates", "Formats", "HTML", "Interface", "Limits", "Markup", "Messages",
        "Platform", "Programs", "Reports", "Screen", "Services", "Settings", "Storage", "Threads",
        "Transport", "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "NoticeDelivery",
      dependencies: [
        "Formats", "Interface", "Limits", logging, "Messages", "Notices", "Platform", "Programs", "Reports",
        "Screen", "Settings", "Storage", "Threads", "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "Hooks",
      dependencies: [
        "Files", "Formats", "Limits", logging, "Messages", "NoticeDelivery", "Notices", "Platform",
        "Programs",
        "Reports", "Rounds", "Settings", "Storage", "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "Previews",
      dependencies: [
        "Calendars", "Files", "Dates", "Formats", "Interface", "Limits", "Messages", "Platform", "Reports",
        "Rounds",
        "Schedules", "Screen", "Services",
        "Settings", "Storage", "Threads", "Transport", "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "Subscriptions",
      dependencies: [
        "Files", "Dates", "Formats", "Interface", "Limits", "Messages", "Platform", "Previews", "Programs",
        "Queries",
        "Reports", "Rounds", "Schedules", "Screen", "Services", "Settings", "Storage", "Threads", "Transport",
        "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "Session",
      dependencies: [
        "Files", "Dates", "Formats", "Hooks", "Interface", "Limits", logging, "Markup", "Messages",
        "NoticeDelivery", "Notices", "Pictures", "Platform", "Polling", "Programs", "Reports", "Rounds",
        "Schedules", "Screen",
        "Services", "Settings", "Stage", "Storage", "Subscriptions", "Threads", "Translations", "Workspace",
      ],
      swiftSettings: strict),
    .target(
      name: "HubItems",
      dependencies: ["Dates", "Digests", "Formats", "HTML", "Limits", "Messages", "Schedules"],
      swiftSettings: strict),
    .target(
      name: "HubStore", dependencies: ["Dates", "Formats", "HubItems", "Limits", "Sync", grdb],
      swiftSettings: strict),
    .target(
      name: "HubPostgres",
      dependencies: ["HubItems", "HubStore", "Limits", "PostgreSQL", "Programs", "Sync"],
      swiftSettings: strict),
    .target(
      name: "HubServer",
      dependencies: [
        "Files", "Dates", "Digests", "Formats", "HubItems", "HubStore", "Limits", "Messages", "Sync",
        hummingbird,
        logging, .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "HubProgram",
      dependencies: [
        "Files", "Dates", "Formats", "HubItems", "HubPostgres", "HubServer", "HubStore", "Limits", "Programs",
        "Threads", "TOML", argumentParser, hummingbird, tomlKit,
      ],
      swiftSettings: strict),
    // The samples are a link to Resources: the demo shows what publishers start from.
    .target(
      name: "FeedServer", dependencies: ["Formats", "Limits"],
      resources: [
        "control.json", "tip.html", "tour-small.html", "tour.html", "update.html",
      ].map { .embedInCode("Samples/\($0)") },
      swiftSettings: strict),
    .executableTarget(
      name: "reddot",
      dependencies: [
        "Files", "Hooks", "Platform", "Settings", "Workspace", "Reports", "Pictures", "Rounds", "Stage",
        "NoticeDelivery", "Previews", "Subscriptions", "Session", "Terminal", "FeedServer", "CWords", "Dates",
        "Interface", "Limits", "Markup", "Messages", "Places", "Programs", "Screen", "Translations",
        "Threads", argumentParser,
      ], swiftSettings: strict),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Dates", "Files", "Rounds", "FeedServer", "Limits", "Messages", "Places", "SeededRandom", "Services",
        "StandIns",
        "Storage", "Sync", "TerminalHarness",
      ],
      swiftSettings: strict),

    // When a test that hangs is ended.
    .target(name: "HangLimit", path: "Tests/HangLimit", swiftSettings: strict),

    // The same random numbers at every run.
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),

    // Services in memory and on loopback, which keep the rules of the real ones.
    .target(
      name: "StandIns",
      dependencies: ["Dates", "Formats", "Messages", "SeededRandom", "Transport", hummingbird, webSocket],
      path: "Tests/StandIns", swiftSettings: strict),

    // Places in memory, and faults of any place.
    .target(
      name: "PlaceStandIns", dependencies: ["Places", "Programs", "SeededRandom", "Sync"],
      path: "Tests/PlaceStandIns", swiftSettings: strict),

    // A real server of PostgreSQL in a temporary folder.
    .target(
      name: "PostgreSQLStandIn", dependencies: ["HangLimit", "PostgreSQL", "Programs"],
      path: "Tests/PostgreSQLStandIn", swiftSettings: strict),

    // Random queries and messages, and a second evaluator, for the tests of queries and of the store.
    .target(
      name: "QuerySamples", dependencies: ["Dates", "Messages", "Queries", "SeededRandom"],
      path: "Tests/QuerySamples", swiftSettings: optimised),

    // Documents whose entries are known and new messages, and a second intake, for the tests of the store and the program.
    .target(
      name: "IdentitySamples", dependencies: ["SeededRandom"], path: "Tests/IdentitySamples",
      swiftSettings: optimised),

    // The rule by which acts of several machines are merged, without a database, and histories of such machines.
    .target(
      name: "SyncModel", dependencies: ["SeededRandom", "Sync"], path: "Tests/SyncModel",
      swiftSettings: optimised),

    // A pseudo-terminal with a screen, and a program that draws in it: for end-to-end tests and benchmarks.
    .target(
      name: "TerminalHarness", dependencies: ["CWidth", "HangLimit"], path: "Tests/TerminalHarness",
      swiftSettings: optimised),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Terminal", "Screen", "Threads"], path: "Tests/TerminalProbe",
      swiftSettings: strict),

    // Serves the stand-ins; run by hand.
    .executableTarget(
      name: "stand-ins", dependencies: ["Messages", "Services", "StandIns"], path: "Tests/StandInHost",
      swiftSettings: strict),

    // A terminal that others wrote, which judges the tests' own.
    .systemLibrary(
      name: "CVTerm", path: "Tests/CVTerm", providers: [.apt(["libvterm-dev"]), .brew(["libvterm"])]),

    // Kills the built program; run by hand, and shortly by .ci/run.
    .executableTarget(
      name: "torture", dependencies: ["reddot", "Messages", "SeededRandom", "StandIns", "Storage"],
      path: "Tests/Torture", swiftSettings: strict),

    .testTarget(
      name: "ArchitectureTests", dependencies: ["Interface", "Screen", "Translations"],
      swiftSettings: strict),
    .testTarget(
      name: "AppTests",
      dependencies: [
        "Calendars", "Files", "Platform", "Settings", "Workspace", "Reports", "Pictures", "Rounds", "Stage",
        "Hooks", "NoticeDelivery", "Previews", "Subscriptions", "Session", "Places", "PlaceStandIns",
        "Polling",
        "Rules", "SeededRandom", "Sync", "Banners", "Dates", "Formats", "Interface", "Limits", "Markup",
        "Messages", "Notices", "Queries", "Schedules", "Screen", "Services", "Storage", "TOML", "Threads",
        "Translations", "Transport", "Programs", "reddot", "StandIns", "TerminalHarness", logging,
        "HangLimit",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BannersTests",
      dependencies: [
        "Banners", "Formats", "Limits", "Markup", "Messages", "reddot", "TerminalHarness", "HangLimit",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CalendarsTests", dependencies: ["Calendars", "Dates", "Limits"],
      // Read where they are.
      exclude: ["Data"], swiftSettings: strict),
    .testTarget(name: "DatesTests", dependencies: ["Dates", "SeededRandom"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "reddot", "HubProgram", "TerminalHarness", "CVTerm", "IdentitySamples", "Storage", "Messages",
        "Notices", "HangLimit", "SeededRandom", "StandIns", "CSQLite", "Places", "PostgreSQLStandIn",
        "Programs", "Sync",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedServerTests", dependencies: ["FeedServer", "HangLimit", "Limits"], swiftSettings: strict),
    .testTarget(
      name: "FormatsTests",
      dependencies: ["Dates", "Formats", "HTML", "Limits", "Markup", "HangLimit", "SeededRandom"],
      swiftSettings: strict),
    .testTarget(name: "HTMLTests", dependencies: ["HTML", "Limits", "SeededRandom"], swiftSettings: strict),
    .testTarget(
      name: "HubTests",
      dependencies: [
        "Dates", "Digests", "Formats", "HangLimit", "HubItems", "HubPostgres", "HubServer", "HubStore",
        "Limits",
        "PostgreSQL", "PostgreSQLStandIn", "StandIns", "Sync", grdb,
      ],
      // Read where they are.
      exclude: ["Deliveries"],
      swiftSettings: strict),
    .testTarget(
      name: "InterfaceTests",
      dependencies: [
        "Dates", "Formats", "Interface", "Limits", "Markup", "Messages", "Queries", "Screen", "SeededRandom",
        "Translations",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MarkupTests", dependencies: ["Limits", "Markup", "Screen", "SeededRandom"], swiftSettings: strict
    ),
    .testTarget(
      name: "PlacesTests",
      dependencies: [
        "HTTPPlace", "HangLimit", "HubProgram", "Limits", "Places", "PlaceStandIns", "PostgreSQL",
        "PostgreSQLPlace", "PostgreSQLProgram", "PostgreSQLStandIn", "Programs", "SeededRandom", "Sync",
        "reddot", "TerminalHarness", "Transport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SyncTests", dependencies: ["Deflate", "Digests", "Limits", "SeededRandom", "Sync", "SyncModel"],
      swiftSettings: strict),
    .testTarget(
      name: "PollingTests", dependencies: ["Limits", "Polling", "Messages", "HangLimit", "SeededRandom"],
      swiftSettings: strict),
    .testTarget(
      name: "ProgramsTests", dependencies: ["Limits", "Programs", "HangLimit"], swiftSettings: strict),
    .testTarget(
      name: "SchedulesTests", dependencies: ["Dates", "Schedules", "SeededRandom"], swiftSettings: strict),
    .testTarget(
      name: "QueriesTests",
      dependencies: ["Dates", "Limits", "Messages", "Queries", "QuerySamples", "SeededRandom"],
      swiftSettings: strict),
    .testTarget(
      name: "NoticesTests",
      dependencies: ["CZlib", "Dates", "HangLimit", "Limits", "Messages", "Notices", "Queries"],
      swiftSettings: strict),
    .testTarget(
      name: "RulesTests", dependencies: ["Dates", "Messages", "Queries", "Rules"], swiftSettings: strict),
    .testTarget(name: "ScreenTests", dependencies: ["Screen", "SeededRandom"], swiftSettings: strict),
    .testTarget(
      name: "ServicesTests",
      dependencies: [
        "Dates", "Digests", "Services", "Storage", "Transport", "Formats", "Limits", "Markup", "Messages",
        "Queries", "SeededRandom",
        "StandIns",
        "HangLimit", "Programs",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StorageTests",
      dependencies: [
        "Dates", "Formats", "IdentitySamples", "Limits", "Queries", "QuerySamples", "Rules", "Services",
        "Storage",
        "Marks", "Messages", grdb, "HangLimit", "SeededRandom", "Sync", "SyncModel",
      ],
      // Read where they are: they are copied before they are opened.
      exclude: ["Databases"],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Terminal", "Screen", "SeededRandom", "TerminalHarness", "TerminalProbe"],
      swiftSettings: strict),
    .testTarget(
      name: "TransportTests",
      dependencies: [
        "Digests", "Transport", webSocket, .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"), "HangLimit", "Limits",
      ],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)

// The claims about each reader of outside bytes: ordinary tests, or the program that libFuzzer drives.
let claims: [Target.Dependency] = [
  "Rounds", "Settings", "Banners", "Calendars", "Dates", "Deflate", "Formats", "HTML", "HubItems", "Limits",
  "Markup",
  "Messages",
  "Notices",
  "Queries", "Schedules", "Screen", "Services", "Storage", "Sync", "Terminal", "Transport",
]
if isFuzzing {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: claims + ["CFuzzer"], path: "Tests/Fuzzing",
      exclude: ["CFuzzer", "Dictionaries", "Found", "Seeds", "Tests"], sources: ["Main", "Readers"],
      swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
  package.products.append(.executable(name: "reddot-fuzz", targets: ["Fuzz"]))
} else {
  package.targets.append(
    .testTarget(
      name: "FuzzFindingsTests", dependencies: claims + ["SeededRandom"], path: "Tests/Fuzzing",
      exclude: ["CFuzzer", "Dictionaries", "Found", "Main", "Seeds"], sources: ["Readers", "Tests"],
      swiftSettings: strict))
}
