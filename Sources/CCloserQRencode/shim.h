// libqrencode: bytes to the modules of a QR code. Nothing is added or renamed.
#include <qrencode.h>
