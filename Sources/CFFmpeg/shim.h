#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Values that are macros in FFmpeg's headers and that Swift cannot import.
static const int liveedit_averror_eof = AVERROR_EOF;
static const int liveedit_averror_eagain = AVERROR(EAGAIN);
static const int liveedit_averror_enomem = AVERROR(ENOMEM);
static const int liveedit_averror_invalid_data = AVERROR_INVALIDDATA;
static const int64_t liveedit_nopts = AV_NOPTS_VALUE;
static const unsigned liveedit_tag_avc1 = MKTAG('a', 'v', 'c', '1');
static const unsigned liveedit_tag_hvc1 = MKTAG('h', 'v', 'c', '1');
static const unsigned liveedit_tag_encv = MKTAG('e', 'n', 'c', 'v');
static const unsigned liveedit_tag_drmi = MKTAG('d', 'r', 'm', 'i');
