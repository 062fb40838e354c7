//! Messages that quote the caller's own parameters. They come before every other word match, or a
//! caller could write "rate limit" into an argument and have an endpoint rested.

use crate::verdict::Class;
use crate::verdict::meaning::Meaning;
use crate::verdict::rule::{ERROR, Rule, When};
use crate::verdict::sample::error;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "caller.argument",
    When {
        text: &[
            "^invalid argument ",
            "^missing value for required argument",
            "^too many arguments",
            "^non-array args",
            "^invalid params: inv",
            "^invalid type:",
            "^invalid value",
            "^invalid length",
            "^invalid hex",
            "^invalid address",
            "^invalid string length",
            "^missing field",
            "^unknown field",
            "^unknown variant",
            "^data did not match any variant",
            "^json: cannot unmarshal",
            "^cannot unmarshal",
            "^hex string",
            "^odd number of digits",
            "^odd length",
            "^failed to deserialize",
            "^could not parse",
            "^failed to parse",
            "^unable to parse",
            "^provided toblock parameter without",
            "^bad parameters",
        ],
        ..ERROR
    },
    Meaning::answer(Class::InvalidParams),
)
.seen(
    "gh:ethereum/go-ethereum rpc/json.go",
    error(
        "eth_getBalance",
        r#"{"code":-32602,"message":"invalid argument 0: hex string \"rate limit\" has length 10, want 40 for common.Address"}"#,
    ),
)];
