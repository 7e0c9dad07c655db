import Foundation
import HTTP
import NIOSSL

/// Created with openssl and valid for a hundred years; only these tests trust them.
enum TestCertificates {
  /// The issuer of all but the self-signed one.
  static let authority = """
    -----BEGIN CERTIFICATE-----
    MIIBljCCAT2gAwIBAgIUYQv2h1WBXE3s3UD8sV+Xxpnt92wwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVcmVkZG90IHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyMTAyNTIy
    OFoYDzIxMjYxMDI4MDI1MjI4WjAgMR4wHAYDVQQDDBVyZWRkb3QgdGVzdCBhdXRo
    b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ5R5R+dpLXcrPY1jc6r0xP
    eR2U5VeXHJDLwGVbMKA56JZ2xUGcPa9Ll6+6z4QX2ceDop7Z9vfMzZI1mXTgtvBg
    o1MwUTAdBgNVHQ4EFgQU+uqJTq7cqisHFgGTMwNP3WJ9z64wHwYDVR0jBBgwFoAU
    +uqJTq7cqisHFgGTMwNP3WJ9z64wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQD
    AgNHADBEAiAFwVrgm1Kl6tLTD3ZCTibuF20Dwklr0rKh0n4MbOKbwgIgO2CXo98v
    jkZhtjo9s21JbTLVOqsBKcuhA0yDo6d7HVI=
    -----END CERTIFICATE-----
    """

  /// A certificate for localhost and 127.0.0.1.
  static let good = """
    -----BEGIN CERTIFICATE-----
    MIIBsjCCAVegAwIBAgIUdVe7zrlF4irFRZMVX6oWjuWJWcYwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVcmVkZG90IHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyMTAyNTIy
    OFoYDzIxMjYxMDI4MDI1MjI4WjAPMQ0wCwYDVQQDDARnb29kMFkwEwYHKoZIzj0C
    AQYIKoZIzj0DAQcDQgAEWEm3L17LnRAPTL6mv1Iobham12I+rg3IOnTfLRJoSxby
    88jfDmMgbSsOH5nmaOQLIa0KHBK76RR4zCZKIxHMfqN+MHwwGgYDVR0RBBMwEYIJ
    bG9jYWxob3N0hwR/AAABMAkGA1UdEwQCMAAwEwYDVR0lBAwwCgYIKwYBBQUHAwEw
    HQYDVR0OBBYEFL3r7NoQuKUqQ1JhthbXx0azfvIBMB8GA1UdIwQYMBaAFPrqiU6u
    3KorBxYBkzMDT91ifc+uMAoGCCqGSM49BAMCA0kAMEYCIQDbuu6eBz4e/WOBx3q4
    F7i2NxOVtVIYeYW6whN+yKhUaAIhAIWSA+8A8MR6/evEulx8t+EpJpnCXmBaNNlg
    LSms7CWe
    -----END CERTIFICATE-----
    """

  /// A certificate for elsewhere.example.
  static let elsewhere = """
    -----BEGIN CERTIFICATE-----
    MIIBuTCCAV+gAwIBAgIUdVe7zrlF4irFRZMVX6oWjuWJWccwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVcmVkZG90IHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyMTAyNTIy
    OFoYDzIxMjYxMDI4MDI1MjI4WjAUMRIwEAYDVQQDDAllbHNld2hlcmUwWTATBgcq
    hkjOPQIBBggqhkjOPQMBBwNCAARYSbcvXsudEA9Mvqa/UihuFqbXYj6uDcg6dN8t
    EmhLFvLzyN8OYyBtKw4fmeZo5AshrQocErvpFHjMJkojEcx+o4GAMH4wHAYDVR0R
    BBUwE4IRZWxzZXdoZXJlLmV4YW1wbGUwCQYDVR0TBAIwADATBgNVHSUEDDAKBggr
    BgEFBQcDATAdBgNVHQ4EFgQUvevs2hC4pSpDUmG2FtfHRrN+8gEwHwYDVR0jBBgw
    FoAU+uqJTq7cqisHFgGTMwNP3WJ9z64wCgYIKoZIzj0EAwIDSAAwRQIgBLmRGWV1
    WQmBd4cLgcOQoG8s8kgZtxXqqOneFLcEPNoCIQDPBPv0J9dymnOg/bjNXc5e3XXj
    sfdB+76XrVL+CGBYgQ==
    -----END CERTIFICATE-----
    """

  /// A certificate for localhost that expired on 2021-02-03.
  static let expired = """
    -----BEGIN CERTIFICATE-----
    MIIBfDCCASGgAwIBAgIBATAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVyZWRkb3Qg
    dGVzdCBhdXRob3JpdHkwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMjAzMDAwMDAwWjAU
    MRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARY
    SbcvXsudEA9Mvqa/UihuFqbXYj6uDcg6dN8tEmhLFvLzyN8OYyBtKw4fmeZo5Ash
    rQocErvpFHjMJkojEcx+o1gwVjAUBgNVHREEDTALgglsb2NhbGhvc3QwHQYDVR0O
    BBYEFL3r7NoQuKUqQ1JhthbXx0azfvIBMB8GA1UdIwQYMBaAFPrqiU6u3KorBxYB
    kzMDT91ifc+uMAoGCCqGSM49BAMCA0kAMEYCIQC0e7KadOVRoU1ARcaL8AnI96jG
    sczFiHngHvaHGHQCZwIhAMDv10s7NvlU7W98ERz4mdABHFJUWxMHpROjRa3z//Ew
    -----END CERTIFICATE-----
    """

  /// A certificate for localhost that is valid from 2100 on.
  static let future = """
    -----BEGIN CERTIFICATE-----
    MIIBfjCCASWgAwIBAgIBAjAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVyZWRkb3Qg
    dGVzdCBhdXRob3JpdHkwIhgPMjEwMDAxMDEwMDAwMDBaGA8yMTAxMDIwMzAwMDAw
    MFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
    QgAEWEm3L17LnRAPTL6mv1Iobham12I+rg3IOnTfLRJoSxby88jfDmMgbSsOH5nm
    aOQLIa0KHBK76RR4zCZKIxHMfqNYMFYwFAYDVR0RBA0wC4IJbG9jYWxob3N0MB0G
    A1UdDgQWBBS96+zaELilKkNSYbYW18dGs37yATAfBgNVHSMEGDAWgBT66olOrtyq
    KwcWAZMzA0/dYn3PrjAKBggqhkjOPQQDAgNHADBEAiADazfOHFe7TU9Y+PKYI9cf
    rULzlYzRCYQyTxI/g5X3YgIgOWA5RNsuC/HIwbnbVJfDFLX+p+0hXFnxzlaOE/Zo
    Yl0=
    -----END CERTIFICATE-----
    """

  /// A self-signed certificate for localhost.
  static let selfSigned = """
    -----BEGIN CERTIFICATE-----
    MIIBlTCCATugAwIBAgIUJSitWljSiYFhuhfxLRlOAWRnrQMwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAyNTIyOFoYDzIxMjYxMDI4
    MDI1MjI4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAARYSbcvXsudEA9Mvqa/UihuFqbXYj6uDcg6dN8tEmhLFvLzyN8OYyBt
    Kw4fmeZo5AshrQocErvpFHjMJkojEcx+o2kwZzAdBgNVHQ4EFgQUvevs2hC4pSpD
    UmG2FtfHRrN+8gEwHwYDVR0jBBgwFoAUvevs2hC4pSpDUmG2FtfHRrN+8gEwDwYD
    VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
    SAAwRQIhAJaWJYKRFAI5t4GBVNdwsB2A38Pn6RE7Mm1vkIPdaHJ7AiByR1vt08sq
    9oHK+C5zOHStCoHowJvkTgvMmhB9wrvblg==
    -----END CERTIFICATE-----
    """

  /// A certificate for localhost, and its issuer's, which expired on 2021-02-03 and was issued by `selfSigned`.
  static let underExpired = """
    -----BEGIN CERTIFICATE-----
    MIIBajCCARCgAwIBAgIBBDAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhyZWRkb3Qg
    dGVzdCBpbnRlcm1lZGlhdGUwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNTEyMzEwMDAw
    MDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
    A0IABFhJty9ey50QD0y+pr9SKG4WptdiPq4NyDp03y0SaEsW8vPI3w5jIG0rDh+Z
    5mjkCyGtChwSu+kUeMwmSiMRzH6jQjBAMAkGA1UdEwQCMAAwFAYDVR0RBA0wC4IJ
    bG9jYWxob3N0MB0GA1UdDgQWBBS96+zaELilKkNSYbYW18dGs37yATAKBggqhkjO
    PQQDAgNIADBFAiAQ1V+PxcoE1OB0sRWwfQwQtMuqa7zOkjDhVXxLpaHJlQIhAJs2
    9B04ioeb4H72bB9jLWfk+iF71ox5GsAVIGLJM1P5
    -----END CERTIFICATE-----
    -----BEGIN CERTIFICATE-----
    MIIBNzCB36ADAgECAgEDMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
    dDAeFw0yMDAxMDEwMDAwMDBaFw0yMTAyMDMwMDAwMDBaMCMxITAfBgNVBAMMGHJl
    ZGRvdCB0ZXN0IGludGVybWVkaWF0ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
    BFhJty9ey50QD0y+pr9SKG4WptdiPq4NyDp03y0SaEsW8vPI3w5jIG0rDh+Z5mjk
    CyGtChwSu+kUeMwmSiMRzH6jEzARMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0E
    AwIDRwAwRAIgDuub3++d0Z2coLPEDhKSBZVMUtzyQFtvhGXmC928zekCIEnopBdO
    qqyoMp2cGijJGYQljBgihHBPlTVmx5RUQnie
    -----END CERTIFICATE-----
    """

  /// The private key of all of them.
  static let key = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIFgNkPkVxTl4X31N+fsvplX5PEvKxeUQzFSlvOr8z3cQoAoGCCqGSM49
    AwEHoUQDQgAEWEm3L17LnRAPTL6mv1Iobham12I+rg3IOnTfLRJoSxby88jfDmMg
    bSsOH5nmaOQLIa0KHBK76RR4zCZKIxHMfg==
    -----END EC PRIVATE KEY-----
    """

  /// The private key, encrypted with a password.
  static let keyWithPassword = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhE1Cp77JZM7AICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEN2J/PIuw8S539nK/QKS27MEgZB3
    O+5kit8erxGyvokFvkQpOmMevkCZpKZRA0waAawv82fRPENMBeA7UJ/2LAFpKGWS
    j0YJBSXV9nid0TaG84WS6a73BFUmKx9SVrUmWSA4DfKD2oCSrBJ1/WMkBP0ierzu
    6pb91mKsrRR35dHUlKZ4kru4WqyKC5cxOKSkLMtAoiXXhrBOmJ1MP/cc4y72Pkc=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  /// A key that belongs to none of the certificates.
  static let otherKey = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIK89gAym9A4XHgRK/5zv+z0AsUZow0JM2WNw6vSEQfK7oAoGCCqGSM49
    AwEHoUQDQgAEwi95WlX+fWP1QGi0A0NDGRy0Ou3hwwfKTDmap/kgcQuWlQ2ThzTt
    mSTAnFDgZmxbtUbhWuY2OEzgXFqA9EkK5Q==
    -----END EC PRIVATE KEY-----
    """

  /// Trusts these certificates, from a file that a user's environment names.
  static func trust(_ certificates: String = authority) throws -> SystemTrust {
    SystemTrust(environment: ["SSL_CERT_FILE": try file(certificates)])
  }

  /// - Returns: the path of a file with that text.
  static func file(_ text: String) throws -> String {
    // Each text has a separate file, because tests run at the same time.
    let name = "reddot-test-\(getpid())-\(text.utf8.reduce(5381) { ($0 &* 33) ^ UInt64($1) }).pem"
    let file = FileManager.default.temporaryDirectory.appending(path: name)
    try Data(text.utf8).write(to: file, options: .atomic)
    return file.path
  }

  /// Returns the context of a server with that chain of certificates.
  static func context(
    _ chain: String, _ change: (inout TLSConfiguration) throws -> Void = { _ in }
  ) throws -> NIOSSLContext {
    let certificates = try NIOSSLCertificate.fromPEMBytes(Array(chain.utf8))
    let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
    try change(&configuration)
    return try NIOSSLContext(configuration: configuration)
  }
}
