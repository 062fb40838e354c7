//! The Worker that is uploaded: `breakwater::worker` exports its handlers by itself once it is linked.

use breakwater as _;
