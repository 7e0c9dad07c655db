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

// For code that handles every cell of a screen, or every byte of the input. Without optimisation, all tests would spend a third of
// their time in it.
let optimised = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Set by Resources/package-deb: the commit that `reddot --version` names. If each build asked git, each commit would
// link the program again.
let commit: [CSetting] =
  Context.environment["REDDOT_COMMIT"].map { [.define("REDDOT_COMMIT", to: "\"\($0)\"")] } ?? []

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let webSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

// The arrows of the architecture page (Sources/Programs/reddot/Documentation.docc/Architecture.md) point
// only downwards; LayeringTests compares every import with them.
let package = Package(
  name: "reddot",
  products: [
    .executable(name: "reddot", targets: ["reddot"]),
    // A separate program, since libpq adds 6 ms to each start.
    .executable(name: "reddot-postgresql", targets: ["PostgreSQLProgram"]),
    // The publisher's side. No part of it is in the terminal program.
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
  ],
  targets: [
    .systemLibrary(
      name: "CNcurses", path: "Sources/Libraries/CNcurses",
      providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(
      name: "CXML2", path: "Sources/Libraries/CXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    // Debian's package has no pkg-config file of this name everywhere; the module map names the library.
    .systemLibrary(
      name: "CDuktape", path: "Sources/Libraries/CDuktape",
      providers: [.apt(["duktape-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/Libraries/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CBrotli", path: "Sources/Libraries/CBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(
      name: "CZstd", path: "Sources/Libraries/CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(
      name: "CNettle", path: "Sources/Libraries/CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"])]),
    .systemLibrary(
      name: "CPCRE2", path: "Sources/Libraries/CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(
      name: "CMD4C", path: "Sources/Libraries/CMD4C", pkgConfig: "md4c",
      providers: [.apt(["libmd4c-dev"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/Libraries/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CPQ", path: "Sources/Libraries/CPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"])]),
    // A part of libc, so there is nothing to install.
    .systemLibrary(name: "CWidth", path: "Sources/Libraries/CWidth"),
    .systemLibrary(name: "CThreads", path: "Sources/Libraries/CThreads"),
    // Opens libcurl when the first request is made; only its headers are needed to build.
    .target(name: "CCurl", path: "Sources/Libraries/CCurl"),
    // Embeds the interface's words, three tables, the manual's pages and the name of the commit; a change of one of them
    // rebuilds only this target.
    .target(name: "CResources", path: "Sources/Libraries/CResources", cSettings: commit),
    .target(
      name: "Basics", dependencies: ["CNettle", "CResources", "CZlib"], path: "Sources/Base/Basics",
      swiftSettings: strict),
    .target(
      name: "Platform", dependencies: ["Basics", "CThreads"], path: "Sources/Base/Platform",
      swiftSettings: strict),
    .target(
      name: "Screen", dependencies: ["Basics", "CWidth"], path: "Sources/Base/Screen",
      swiftSettings: optimised),
    .target(
      name: "HTTP",
      dependencies: ["Basics", "CBrotli", "CCurl", "CZstd", "Platform"], path: "Sources/Base/HTTP",
      swiftSettings: strict),
    .target(
      name: "Formats", dependencies: ["Basics", "CResources", "CXML2"],
      path: "Sources/Documents/Formats", swiftSettings: optimised),
    .target(
      name: "Markup", dependencies: ["Basics", "CMD4C", "Formats", "Screen"],
      path: "Sources/Documents/Markup", swiftSettings: strict),
    .target(
      name: "Calendars", dependencies: ["Basics"], path: "Sources/Documents/Calendars",
      swiftSettings: strict),
    .target(
      name: "Messages", dependencies: ["Basics"], path: "Sources/Store/Messages", swiftSettings: strict),
    .target(
      name: "Queries", dependencies: ["Basics", "CPCRE2", "Messages"], path: "Sources/Store/Queries",
      swiftSettings: optimised),
    .target(
      name: "Sync", dependencies: ["Basics", "CNettle", "CThreads", "Platform"],
      path: "Sources/Store/Sync", swiftSettings: strict),
    .target(
      name: "PostgreSQL", dependencies: ["Basics", "CPQ", "Platform", "Sync"],
      path: "Sources/Store/PostgreSQL", swiftSettings: strict),
    .target(
      name: "Storage",
      dependencies: ["Basics", "CSQLite", "Messages", "Platform", "Queries", "Sync", grdb],
      path: "Sources/Store/Storage",
      swiftSettings: strict),
    .executableTarget(
      name: "PostgreSQLProgram", dependencies: ["CPQ", "PostgreSQL", "Sync"],
      path: "Sources/Programs/PostgreSQLProgram", swiftSettings: strict),
    .target(
      name: "Services",
      dependencies: [
        "Basics", "Calendars", "CResources", "Formats", "HTTP", "Markup", "Messages", "Platform",
      ], path: "Sources/Features/Services",
      swiftSettings: strict),
    .target(
      name: "Words",
      dependencies: ["Basics", "CResources", "Formats", "Markup", "Messages", "Queries", "Screen"],
      path: "Sources/Features/Words",
      swiftSettings: strict),
    .target(
      name: "Settings",
      dependencies: [
        "Basics", "Calendars", "Formats", "HTTP", "Messages", "Platform", "Queries", "Screen", "Services",
        "Storage", "Sync", "Words",
      ], path: "Sources/Features/Settings",
      swiftSettings: strict),
    .target(
      name: "Profile",
      dependencies: [
        "Basics", "Calendars", "Formats", "HTTP", "Markup", "Messages", "Platform", "Queries", "Screen",
        "Services", "Settings", "Storage", "Sync", "Words", logging,
      ], path: "Sources/Features/Profile",
      swiftSettings: strict),
    .target(
      name: "Notifications",
      dependencies: [
        "Basics", "Formats", "HTTP", "Messages", "Platform", "Profile", "Queries", "Screen", "Services",
        "Settings", "Storage", "Words", logging,
      ], path: "Sources/Features/Notifications",
      swiftSettings: strict),
    .target(
      name: "Polling",
      dependencies: [
        "Basics", "Calendars", "Formats", "HTTP", "Markup", "Messages", "Notifications", "Platform",
        "Profile", "Screen", "Services", "Settings", "Storage", "Words", logging,
      ], path: "Sources/Features/Polling",
      swiftSettings: strict),
    .target(
      name: "Banners",
      dependencies: [
        "Basics", "CDuktape", "Formats", "HTTP", "Markup", "Messages", "Platform", "Profile", "Screen",
        "Services", "Settings", "Storage", "Words",
      ], path: "Sources/Features/Banners",
      swiftSettings: strict),
    .target(
      name: "Interface",
      dependencies: ["Basics", "Markup", "Messages", "Queries", "Screen", "Words"],
      path: "Sources/Inbox/Interface",
      swiftSettings: strict),
    .target(
      name: "Terminal", dependencies: ["Basics", "CNcurses", "CWidth", "Platform", "Screen"],
      path: "Sources/Inbox/Terminal",
      swiftSettings: strict),
    .target(
      name: "Session",
      dependencies: [
        "Banners", "Basics", "Calendars", "Formats", "HTTP", "Interface", "Markup", "Messages",
        "Notifications", "Platform", "Polling", "Profile", "Queries", "Screen", "Services", "Settings",
        "Storage", "Subscriptions", "Words", logging,
      ], path: "Sources/Inbox/Session",
      resources: [
        "control.json", "tip.html", "tour-small.html", "tour.html", "update.html",
      ].map { .embedInCode("Demo/Server/Samples/\($0)") }, swiftSettings: strict),
    .target(
      name: "Subscriptions",
      dependencies: [
        "Basics", "Calendars", "Formats", "HTTP", "Messages", "Notifications", "Platform", "Polling",
        "Profile", "Queries", "Screen", "Services", "Settings", "Storage", "Words",
      ], path: "Sources/Features/Subscriptions",
      swiftSettings: strict),
    .target(
      name: "Hub",
      dependencies: [
        "Basics", "Calendars", "Formats", "Messages", "Platform", "PostgreSQL", "Sync", grdb, hummingbird,
        logging, .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], path: "Sources/Hub",
      swiftSettings: strict),
    .executableTarget(
      name: "HubProgram",
      dependencies: ["Basics", "Formats", "Hub", "Platform", argumentParser, hummingbird],
      path: "Sources/Programs/HubProgram",
      swiftSettings: strict),
    .executableTarget(
      name: "reddot",
      dependencies: [
        "Banners", "Basics", "CResources", "Formats", "HTTP", "Interface", "Markup", "Messages",
        "Notifications", "Platform", "Polling", "Profile", "Queries", "Screen", "Services", "Session",
        "Settings", "Storage", "Subscriptions", "Sync", "Terminal", "Words", argumentParser, logging,
      ], path: "Sources/Programs/reddot", swiftSettings: strict),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Basics", "Messages", "Platform", "Profile", "Session", "Storage", "Sync", "TerminalHarness",
      ], path: "Sources/Programs/Benchmarks",
      swiftSettings: strict),
    // Basics for every test: the time after which a hang is ended, random numbers that are the same at every run, and the paths of
    // the project and of published cases.
    .target(name: "TestBasics", path: "Tests/Support/TestBasics", swiftSettings: strict),
    // Services in memory and on loopback, which follow the rules of the real services.
    .target(
      name: "StandIns",
      dependencies: ["Basics", "Formats", "HTTP", "Messages", hummingbird, webSocket],
      path: "Tests/Support/StandIns", swiftSettings: strict),
    // Sync locations in memory, and a location that adds faults to another one.
    .target(
      name: "PlaceStandIns", dependencies: ["Platform", "Sync", "TestBasics"],
      path: "Tests/Support/PlaceStandIns", swiftSettings: strict),
    // A real PostgreSQL server in a temporary folder.
    .target(
      name: "PostgreSQLStandIn", dependencies: ["Platform", "PostgreSQL", "TestBasics"],
      path: "Tests/Support/PostgreSQLStandIn", swiftSettings: strict),
    // Random queries and messages, and a second evaluator, for the tests of queries and of the store.
    .target(
      name: "QuerySamples", dependencies: ["Basics", "Messages", "Queries", "TestBasics"],
      path: "Tests/Support/QuerySamples", swiftSettings: optimised),
    // Documents whose entries are known and new messages, and a second intake, for the tests of the store and the program.
    .target(
      name: "IdentitySamples", dependencies: ["TestBasics"], path: "Tests/Support/IdentitySamples",
      swiftSettings: optimised),
    // The rule that merges the acts of several machines, without a database, and histories of such machines.
    .target(
      name: "SyncModel", dependencies: ["Sync", "TestBasics"], path: "Tests/Support/SyncModel",
      swiftSettings: optimised),
    // A pseudo-terminal with a screen, and a program that draws in it: for end-to-end tests and benchmarks.
    .target(
      name: "TerminalHarness", dependencies: ["CWidth", "TestBasics"],
      path: "Tests/Support/TerminalHarness", swiftSettings: optimised),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Platform", "Screen", "Terminal"],
      path: "Tests/Support/TerminalProbe", swiftSettings: strict),
    // A program, started by hand, that serves the stand-ins.
    .executableTarget(
      name: "stand-ins", dependencies: ["Messages", "Services", "StandIns"],
      path: "Tests/Support/StandInHost", swiftSettings: strict),
    // A terminal of another author, which checks the tests' own terminal.
    .systemLibrary(
      name: "CVTerm", path: "Tests/Support/CVTerm", providers: [.apt(["libvterm-dev"])]),
    // A program that kills the built program. It is started by hand, and for a short time by .ci/run.
    .executableTarget(
      name: "torture", dependencies: ["Messages", "reddot", "StandIns", "Storage", "TestBasics"],
      path: "Tests/Support/Torture", swiftSettings: strict),
    // The tests of each folder of Sources; those of Features are three, since most of them are of services. A program is a
    // dependency only of the tests that import or start it.
    .testTarget(name: "ArchitectureTests", dependencies: ["Words"], swiftSettings: strict),
    .testTarget(
      name: "BaseTests", dependencies: ["Basics", "Platform", "Screen", "TestBasics"],
      swiftSettings: strict),
    .testTarget(
      name: "HTTPTests",
      dependencies: [
        "Basics", "HTTP", "Messages", "Services", "TestBasics", webSocket,
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentsTests",
      dependencies: ["Basics", "Calendars", "Formats", "Markup", "Screen", "TestBasics"],
      // The tests read these files where they are.
      exclude: ["Calendars/Data"], swiftSettings: strict),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Basics", "Formats", "IdentitySamples", "Messages", "Queries", "QuerySamples", "Services", "Storage",
        "Sync", "SyncModel", "TestBasics", grdb,
      ],
      // The tests read these files where they are, and copy them before they open them.
      exclude: ["Storage/Databases"], swiftSettings: strict),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "Basics", "HTTP", "HubProgram", "PlaceStandIns", "Platform", "PostgreSQL", "PostgreSQLProgram",
        "PostgreSQLStandIn", "Profile", "reddot", "Sync", "SyncModel", "TerminalHarness", "TestBasics",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ServicesTests",
      dependencies: [
        "Basics", "Formats", "HTTP", "Markup", "Messages", "Platform", "Queries", "Services", "StandIns",
        "Storage", "TestBasics",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeaturesTests",
      dependencies: [
        "Banners", "Basics", "Calendars", "CZlib", "Formats", "HTTP", "Interface", "Markup", "Messages",
        "Notifications", "PlaceStandIns", "Platform", "Polling", "Profile", "Queries", "reddot", "Screen",
        "Services", "Session", "Settings", "StandIns", "Storage", "Subscriptions", "Sync", "TerminalHarness",
        "TestBasics", "Words", logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "InboxTests",
      dependencies: [
        "Basics", "Formats", "Interface", "Markup", "Messages", "Queries", "Screen", "Session", "Terminal",
        "TerminalHarness", "TerminalProbe", "TestBasics", "Words",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HubTests",
      dependencies: [
        "Basics", "Formats", "Hub", "PostgreSQL", "PostgreSQLStandIn", "StandIns", "Sync", "TestBasics", grdb,
      ],
      // The tests read these files where they are.
      exclude: ["Deliveries"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Basics", "CSQLite", "CVTerm", "HubProgram", "IdentitySamples", "Messages", "Notifications",
        "Platform", "PostgreSQLStandIn", "reddot", "StandIns", "Storage", "Sync", "TerminalHarness",
        "TestBasics",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The claims about each reader of bytes from outside. They are ordinary tests, or the program that libFuzzer drives.
let claims: [Target.Dependency] = [
  "Banners", "Basics", "Calendars", "Formats", "HTTP", "Hub", "Markup", "Messages", "Notifications",
  "Queries",
  "Polling", "Screen", "Services", "Settings", "Storage", "Sync", "Terminal",
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
      name: "FuzzFindingsTests", dependencies: claims + ["TestBasics"], path: "Tests/Fuzzing",
      exclude: ["CFuzzer", "Dictionaries", "Found", "Main", "Seeds"], sources: ["Readers", "Tests"],
      swiftSettings: strict))
}
