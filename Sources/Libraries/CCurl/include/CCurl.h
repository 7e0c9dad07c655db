// libcurl, opened by dlopen at its first use: its thirty libraries cost a start several milliseconds, and most commands
// ask no server. The functions of curl that take any type (curl_easy_setopt, curl_easy_getinfo, curl_multi_setopt) stand
// here once for each type, since Swift cannot call them. Everything but ccurl_open, ccurl_version, ccurl_authorities, ccurl_authorities_folder and ccurl_wakeup belongs to one thread.
#ifndef REDDOT_CCURL_H
#define REDDOT_CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>

// Opens the library, once for the process. Returns NULL, or why it can't be opened.
const char *_Nullable ccurl_open(void);

// Such as "7.88.1"; after ccurl_open.
const char *_Nonnull ccurl_version(void);

// The file and the folder of authorities that libcurl reads by itself; NULL: none. From any thread, after ccurl_open.
const char *_Nullable ccurl_authorities(void);
const char *_Nullable ccurl_authorities_folder(void);

CURL *_Nullable ccurl_new(void);
void ccurl_free(CURL *_Nonnull easy);

// The values are copied, but for pointers.
CURLcode ccurl_set_number(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
CURLcode ccurl_set_blob(CURL *_Nonnull easy, CURLoption option, const void *_Nonnull bytes, size_t count);
CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);

// `received` gets the bytes of the body, `header` one line of the header at a time; both return how many they used.
// `sending` is called before the request is written, `opened` for each socket before it connects. All get `context`.
typedef size_t (*ccurl_bytes)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ccurl_sending)(
    void *_Nullable context, char *_Nullable peer, char *_Nullable own, int peer_port, int own_port);
typedef int (*ccurl_opened)(void *_Nullable context, curl_socket_t socket, curlsocktype purpose);
CURLcode ccurl_set_callbacks(
    CURL *_Nonnull easy, ccurl_bytes _Nonnull header, ccurl_bytes _Nonnull received, ccurl_sending _Nonnull sending,
    ccurl_opened _Nonnull opened, void *_Nonnull context);

long ccurl_number(CURL *_Nonnull easy, CURLINFO info);
// -1: none.
curl_socket_t ccurl_socket(CURL *_Nonnull easy);
// To be freed by ccurl_free_list.
struct curl_slist *_Nullable ccurl_cookies(CURL *_Nonnull easy);
// The fields of one certificate of the chain, each `Name:value`; NULL behind the last. Not to be freed.
struct curl_slist *_Nullable ccurl_certificate(CURL *_Nonnull easy, int index);

struct curl_slist *_Nullable ccurl_append(struct curl_slist *_Nullable list, const char *_Nonnull text);
void ccurl_free_list(struct curl_slist *_Nullable list);

CURLcode ccurl_pause(CURL *_Nonnull easy, int directions);
// Of a connection that was made with CURLOPT_CONNECT_ONLY.
CURLcode ccurl_send(CURL *_Nonnull easy, const void *_Nonnull bytes, size_t count, size_t *_Nonnull sent);
CURLcode ccurl_receive(CURL *_Nonnull easy, void *_Nonnull bytes, size_t room, size_t *_Nonnull count);

CURLM *_Nullable ccurl_multi_new(void);
void ccurl_multi_free(CURLM *_Nonnull multi);
CURLMcode ccurl_multi_add(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_remove(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_perform(CURLM *_Nonnull multi);
// Waits until something can be done, for at most that many milliseconds, or until ccurl_multi_wakeup.
CURLMcode ccurl_multi_wait(
    CURLM *_Nonnull multi, struct curl_waitfd *_Nullable sockets, unsigned int count, int milliseconds);
// From any thread.
CURLMcode ccurl_multi_wakeup(CURLM *_Nonnull multi);
// The next transfer that has ended, and how; NULL: none.
CURL *_Nullable ccurl_multi_ended(CURLM *_Nonnull multi, CURLcode *_Nonnull result);

// Macros with casts, which Swift does not see.
static const long ccurl_auth_basic = (long)CURLAUTH_BASIC;
static const long ccurl_auth_digest = (long)CURLAUTH_DIGEST;
static const long ccurl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
// Since libcurl 7.87; an older one does not know it and waits for a name server that does not answer.
static const CURLoption ccurl_quick_exit = (CURLoption)(CURLOPTTYPE_LONG + 322);
static const size_t ccurl_pause_writing = CURL_WRITEFUNC_PAUSE;
#endif
